import { defaultsOf } from '../../../core/config/config-field.js'
import type { PlannedStep } from '../../../core/config/planned.js'
import type { Json } from '../../../core/config/project-config.js'
import { fieldsOf } from '../../../core/config/sections.js'
import { Refusal } from '../../../core/errors.js'
import { checkSettings } from '../../../integrations/fields.js'
import { integrationOf, needToChange } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { hasMembers } from '../../../integrations/members.js'
import { refuseMovedSecrets } from '../../../integrations/moved-secrets.js'
import { sameDestination, sentAlike } from '../../../integrations/same-destination.js'
import type { Clock } from '../../../lib/clock.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import type { Sizes } from '../../../lib/slices.js'
import type { ChannelWrite, ConfigStep } from '../../../storage/projects/config/config-step.js'
import type { KnownAuthor } from '../../../storage/projects/lock-author.js'
import type { StoreWith } from '../../../storage/store.js'
import { type Asker, addressToAsk } from '../../channels/confirm-address.js'
import { applySteps } from './apply-steps.js'
import type { Planned } from './plan-config.js'
import { channelFields } from './project-config.js'

/** A channel that is created or changed. */
export interface ChannelStep {
  key: string
  integration: Integration
  isNew: boolean
  /** All of its settings after the step but its members, as the file and the store have them. */
  settings: Readonly<Record<string, string>>
  /** The names of the fields that change. */
  changed: readonly string[]
}

export interface Applier {
  /** Prepares the settings of a channel at its service; returns who asks for the consent of its recipient. */
  prepare(step: ChannelStep): Promise<{ settings: Readonly<Record<string, string>>; asker: Asker }>
  /** Asks the recipients of channels that were written for their consent. */
  ask(channels: readonly ToAsk[]): Promise<void>
  by: KnownAuthor | null
  /** The name of who applies, as pages show it. */
  author: string
}

/** A channel whose recipient has to agree before anything is sent. */
export interface ToAsk {
  uuid: string
  address: string
  asker: Asker
}

/**
 * Makes the steps of a plan without problems: all or none of a few, and many in several transactions, see {@link applySteps}. Throws a
 * `Refusal`: `conflict` if the project has changed since; others name the object as `field`, such as `channels/ops`.
 */
export async function applyConfig(
  store: StoreWith<'projects.applyConfig'>,
  clock: Clock,
  planned: Planned & { projectId: number; owner: string },
  applier: Applier,
  sizes?: Sizes,
): Promise<void> {
  const { plan, stored, projectId, owner } = planned
  if (plan.steps.length === 0) return
  const steps = await inTurns(mapped(plan.steps, stepOf))
  const toAsk = new Map<string, Omit<ToAsk, 'uuid'>>()
  for (const step of steps) {
    const { action, section, key, values } = step
    if (section !== 'channels' || action === 'delete' || values.size === 0) continue
    const written = await naming(key, channelWrite(planned, step, applier))
    step.channel = written.channel
    if (written.toAsk !== null) toAsk.set(key, written.toAsk)
  }
  const { by, author } = applier
  const written = new Map<string, string>()
  try {
    await applySteps(store, clock, { projectId, stored, steps, owner, by, author, written }, sizes)
  } finally {
    const asked = [...toAsk].flatMap(([key, one]) => {
      const uuid = written.get(key)
      return uuid === undefined ? [] : [{ ...one, uuid }]
    })
    await applier.ask(asked)
  }
}

function stepOf({ action, section, key, movedFrom, fields }: PlannedStep): ConfigStep {
  const given = new Map(fields.map(({ name, after }) => [name, after]))
  const known = action === 'create' ? defaultsOf(fieldsOf(section, given, channelFields()), key) : []
  return { action, section, key, movedFrom, values: new Map([...known, ...given]) }
}

async function channelWrite(
  planned: Planned,
  { action, key, movedFrom, values: given }: ConfigStep,
  { prepare }: Applier,
): Promise<{ channel: ChannelWrite; toAsk: Omit<ToAsk, 'uuid'> | null }> {
  const isNew = action === 'create'
  const old = planned.stored.objects.channels.find(one => one.key === (movedFrom ?? key))
  const before = isNew ? null : old!.values
  const shown = isNew ? null : planned.current.channels.get(movedFrom ?? key)!.values
  const values = new Map<string, Json>([...(shown ?? []), ...given])
  const kind = String(values.get('kind'))
  const integration = integrationOf(kind)
  if (!integration) throw new Refusal('invalid', `there is no kind of channel “${kind}”`)
  const stored = (before?.get('settings') ?? {}) as Readonly<Record<string, string>>
  const memberField = integration.fields.find(({ type }) => type === 'channels')?.name
  const settings = { ...stored }
  for (const { name } of integration.fields) {
    const value = name === memberField ? '' : values.get(name)
    if (value !== undefined) settings[name] = String(value)
  }
  const prepared = await prepare({ key, integration, isNew, settings, changed: [...given.keys()] })
  const checked = withoutMembers(integration, prepared.settings, memberField)
  const named = planned.wanted.objects.channels.get(key)
  const kept = integration.fields.filter(({ name, sensitive }) => sensitive && !named?.has(name))
  if (!isNew)
    refuseMovedSecrets(
      integration,
      kept.map(({ name }) => name),
      stored,
      checked,
    )
  const sameRecipient = !isNew && integration.recipient?.(checked) === integration.recipient?.(stored)
  const address = sameRecipient ? null : addressToAsk(kind, checked, prepared.asker)
  const channel = {
    name: String(values.get('name')),
    kind,
    settings: checked,
    members: memberField === undefined ? [] : membersIn(planned, values.get(memberField)!),
    confirmed: sameRecipient ? null : address === null,
    redirected: !isNew && !sameDestination(integration, stored, checked),
    sentAlike: !isNew && sentAlike(integration, stored, checked),
    need: needToChange(kind),
  }
  return { channel, toAsk: address === null ? null : { address, asker: prepared.asker } }
}

/** Members are stored as links, and are known only when all channels are there. */
function withoutMembers(
  integration: Integration,
  settings: Readonly<Record<string, string>>,
  memberField: string | undefined,
): Record<string, string> {
  if (memberField === undefined) return checkSettings(integration, settings)
  const fields = integration.fields.filter(({ name }) => name !== memberField)
  const { [memberField]: _, ...others } = settings
  return { ...checkSettings({ ...integration, fields }, others), [memberField]: '' }
}

/** Alerts go only one level deep, so a member with members of its own would swallow them. */
function membersIn({ current, wanted }: Planned, members: Json): readonly string[] {
  const keys = members as readonly string[]
  for (const key of keys) {
    const kind =
      wanted.objects.channels.get(key)?.get('kind') ?? current.channels.get(key)?.values.get('kind')
    const integration = integrationOf(String(kind))
    if (integration && hasMembers(integration))
      throw new Refusal('invalid', `the channel ${key} has members itself, so it cannot be one`)
  }
  return keys
}

async function naming<T>(key: string, result: Promise<T>): Promise<T> {
  return await result.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'invalid') throw error
    const field = error.field === undefined ? '' : `/${error.field}`
    throw new Refusal('invalid', error.message, `channels/${key}${field}`)
  })
}
