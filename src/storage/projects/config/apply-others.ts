/** The steps of a plan for channels, policies and silences, and what it deletes. */
import type { Json, Values } from '../../../core/config/project-config.js'
import type { AskedSilence, AskedTimes } from '../../../core/silences/asked-silence.js'
import { update as updateChannel } from '../../channels/change-channel.js'
import {
  create as createChannel,
  delete as deleteChannel,
  find as findChannel,
} from '../../channels/channels.js'
import { type AskedPolicy, createPolicy, deletePolicy, updatePolicy } from '../../incidents/policies.js'
import { create as createSilence, end, update as updateSilence } from '../../silences/change-silences.js'
import { type Applying, type ConfigStep, note, noteMade, refsOf } from './config-step.js'

/** Creates or changes a channel. */
export async function applyChannel(applying: Applying, step: ConfigStep): Promise<void> {
  const { db, projectId, refs, by, now } = applying
  if (!step.channel) return
  const { name, kind, settings, confirmed, redirected, sentAlike, need } = step.channel
  const common = { projectId, name, settings, by, need, now }
  const members = refsOf(applying, 'channels', step.channel.members)
  if (step.action === 'create') {
    const created = { ...common, kind, members, confirmed: confirmed !== false, forAll: false }
    noteMade(applying, step, (await createChannel(db, created)).uuid)
    return
  }
  const stored = (await findChannel(db, refs.channels.get(step.key)!))!
  const changed = { ...common, id: stored.id, members, redirected, sentAlike }
  await updateChannel(db, { ...changed, confirmed: confirmed ?? undefined })
  // What it could not be sent so far is due.
  note(applying, { alerts: true })
}

/** Creates or changes a policy. */
export async function applyPolicy(applying: Applying, step: ConfigStep): Promise<void> {
  const { db, projectId, refs, now } = applying
  const asked = askedPolicy(applying, step.values)
  if (step.action === 'create') {
    const { id } = await createPolicy(db, projectId, { ...(asked as AskedPolicy), now })
    noteMade(applying, step, String(id))
  } else if (step.values.size > 0) {
    await updatePolicy(db, projectId, Number(refs.policies.get(step.key)), { ...asked, now })
  }
}

function askedPolicy(applying: Applying, values: Values): Partial<AskedPolicy> {
  const {
    default: isDefault,
    steps,
    ...rest
  } = Object.fromEntries(values) as {
    [name: string]: Json
    steps?: readonly { after: number; channels: Json }[]
  }
  const named = steps?.map(({ after, channels }) => ({
    after,
    channels: channels === 'check' ? channels : refsOf(applying, 'channels', channels as readonly string[]),
  }))
  return {
    ...rest,
    ...(isDefault !== undefined && { isDefault }),
    ...(named && { steps: named }),
  } as Partial<AskedPolicy>
}

/** Creates or changes a silence. */
export async function applySilence(applying: Applying, step: ConfigStep): Promise<void> {
  const { db, projectId, refs, author, begins, now } = applying
  const { key, values, silence } = step
  if (!silence) return
  const asked = askedSilence(applying, values)
  if (silence.isNew) {
    const created = { ...(asked as AskedSilence), createdBy: author, now }
    noteMade(applying, step, String((await createSilence(db, projectId, created)).id))
  } else {
    note(applying, await updateSilence(db, projectId, Number(refs.silences.get(key)), { ...asked, now }))
  }
  const { beganAt } = silence
  const from = asked.times?.from ?? null
  if (from !== null && (from < now || (beganAt !== null && beganAt <= now))) begins.set(key, from)
}

function askedSilence(applying: Applying, values: Values): Partial<AskedSilence> {
  const scope = values.get('scope') as { checks?: readonly string[] } | undefined
  const channels = values.get('channels') as readonly string[] | null | undefined
  const when = values.get('when') as Record<string, string | number> | undefined
  return {
    ...(Object.fromEntries(
      [...values].filter(([name]) => name === 'mode' || name === 'reason'),
    ) as Partial<AskedSilence>),
    ...(scope && {
      scope: (scope.checks
        ? { checks: refsOf(applying, 'checks', scope.checks) }
        : scope) as AskedSilence['scope'],
    }),
    ...(channels !== undefined && { channels: channels && refsOf(applying, 'channels', channels) }),
    ...(when && { times: timesOf(when) }),
  }
}

function timesOf(when: Readonly<Record<string, string | number>>): AskedTimes {
  const from = Date.parse(String(when.from))
  if (when.to !== undefined) return { kind: 'once', from, to: Date.parse(String(when.to)) }
  const kind = when.cron === undefined ? 'oncalendar' : 'cron'
  const { timezone, duration } = when
  return {
    kind,
    schedule: String(when[kind]),
    tz: String(timezone),
    durationSeconds: Number(duration),
    from,
  }
}

/** Deletes an object other than a check, or ends a silence. */
export async function applyDelete(applying: Applying, { section, key }: ConfigStep): Promise<void> {
  const { db, projectId, refs, now } = applying
  const ref = refs[section].get(key)!
  if (section === 'policies') await deletePolicy(db, projectId, Number(ref), now)
  else if (section === 'silences') note(applying, await end(db, projectId, Number(ref), now))
  else {
    const channel = await findChannel(db, ref)
    if (channel) await deleteChannel(db, channel.id, now)
  }
}
