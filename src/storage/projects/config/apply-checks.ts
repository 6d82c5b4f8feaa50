/** The steps of a plan for checks. */
import { changesValues, type Values as EditedValues } from '../../../core/checks/bulk-edit/edit-check.js'
import { changesOfCheck } from '../../../core/config/check-settings.js'
import type { Values } from '../../../core/config/project-config.js'
import { deleteChecks } from '../../checks/bulk-edit/delete-checks.js'
import { type EditableCheck, loadEditable } from '../../checks/bulk-edit/editable.js'
import { lockChecks } from '../../checks/bulk-edit/lock-checks.js'
import type { Write } from '../../checks/bulk-edit/save-channels.js'
import { writeEdits } from '../../checks/bulk-edit/write-edits.js'
import { type AskedCheck, changedSettings, differing } from '../../checks/change-checks.js'
import { createAll } from '../../checks/create-checks.js'
import { recordEvents } from '../../events/record-events.js'
import { setParents } from '../../incidents/check-parents.js'
import { withDependants } from '../../incidents/dependencies/wake-dependants.js'
import { advanceClocks } from '../../incidents/policies/advance-clocks.js'
import { type Applying, type ConfigStep, note, noteMade, refsOf } from './config-step.js'
import { findSomeChecks } from './found-objects.js'
import { naming } from './naming.js'
import { changedSince } from './unchanged.js'

/** Changes checks. They lose the dependencies that they are not to have any more, and get no new ones. */
export async function changeChecks(applying: Applying, steps: readonly ConfigStep[]): Promise<void> {
  const { db, projectId, refs, now } = applying
  const changing = steps.filter(({ values }) => values.size > 0)
  if (changing.length === 0) return
  const uuids = uuidsOf(applying, changing)
  const locked = await lockChecks(db, uuids, now)
  const { checks } = await loadEditable(db, [projectId], uuids)
  const editable = new Map(checks.map(one => [one.check.uuid, one]))
  const writes: Write[] = []
  for (const [place, step] of changing.entries()) {
    const [one, loaded] = [editable.get(uuids[place]!), locked.get(uuids[place]!)]
    if (!one || !loaded) throw changedSince()
    const values = await naming(step, edited(applying, one, step))
    if (changesValues(values)) writes.push({ one, loaded, values })
  }
  note(applying, await writeEdits(db, writes, now, { undoableUntil: now }))
  await changeParents(applying, changing, (wanted, parents) => {
    const left = new Set(wanted.flatMap(key => refs.checks.get(key) ?? []))
    return parents.filter(uuid => left.has(uuid))
  })
}

async function edited(applying: Applying, one: EditableCheck, { values }: ConfigStep): Promise<EditedValues> {
  const { channels, policy, ...asked } = askedFor(applying, values)
  const linked = channels?.split(',').filter(Boolean).sort()
  return {
    settings: differing(one.check, changedSettings(one.check, asked)),
    ...(linked && linked.join() !== one.channels.join() && { channels: linked }),
    ...(policy !== undefined && policy !== one.policy && { policy }),
  }
}

/** Creates checks, or none. They depend on none yet. */
export async function createChecks(applying: Applying, steps: readonly ConfigStep[]): Promise<void> {
  const asked = steps.map(({ values }) => askedFor(applying, values))
  const written = await createAll(applying.db, applying.projectId, asked)
  for (const [place, { check }] of written.entries()) noteMade(applying, steps[place]!, check.uuid)
}

/** Deletes a few checks. */
export async function deleteSomeChecks(applying: Applying, steps: readonly ConfigStep[]): Promise<void> {
  const { db, projectId, now } = applying
  const uuids = uuidsOf(applying, steps)
  const { checks } = await loadEditable(db, [projectId], uuids)
  if (checks.length < steps.length) throw changedSince()
  note(applying, { alerts: await deleteChecks(db, projectId, checks, now) })
}

/** Makes checks depend on those on which they are to depend. */
export async function addDependencies(applying: Applying, steps: readonly ConfigStep[]): Promise<void> {
  const { db, now } = applying
  const uuids = uuidsOf(applying, steps)
  const ids = (await db.dialect.loadChecks(uuids)).map(({ id }) => id)
  await advanceClocks(db, await withDependants(db, ids), now)
  await changeParents(applying, steps, wanted => refsOf(applying, 'checks', wanted))
}

/**
 * `choose` says on which checks one depends then, by UUID, from the keys of those on which it is to depend in the end, and the UUIDs of those on which it
 * depends now. Clocks were advanced before. Throws a `Refusal` if they are not those that the plan knows.
 */
async function changeParents(
  applying: Applying,
  steps: readonly ConfigStep[],
  choose: (wanted: readonly string[], parents: readonly string[]) => readonly string[],
): Promise<void> {
  const { db, projectId, now } = applying
  const depending = steps.filter(({ values }) => values.has('depends_on'))
  if (depending.length === 0) return
  const uuids = uuidsOf(applying, depending)
  const found = new Map((await findSomeChecks(db, projectId, uuids)).map(one => [one.ref, one]))
  const events = []
  for (const [place, step] of depending.entries()) {
    const check = found.get(uuids[place]!)
    const before = check?.values.get('depends_on') as readonly string[] | undefined
    if (!check || before!.join() !== step.parents!.join()) throw changedSince()
    const after = choose(step.values.get('depends_on') as readonly string[], before!).toSorted()
    if (before!.join() === after.join()) continue
    note(applying, { alerts: await naming(step, setParents(db, { id: check.id, projectId }, after, now)) })
    const object = { id: check.ref, name: String(check.values.get('name')) }
    const values = { before: { depends_on: before }, after: { depends_on: after } }
    events.push({ projectId, type: 'check.updated' as const, object, ...values })
  }
  await recordEvents(db, events, now)
}

/** The UUIDs of the checks of these steps. */
function uuidsOf(applying: Applying, steps: readonly ConfigStep[]): string[] {
  return refsOf(
    applying,
    'checks',
    steps.map(({ key }) => key),
  )
}

function askedFor(
  applying: Applying,
  values: Values,
): Omit<AskedCheck, 'policy'> & { policy?: number | null } {
  const channels = values.get('channels') as readonly string[] | undefined
  const policy = values.get('policy') as string | null | undefined
  return {
    changes: changesOfCheck(values),
    refusesRules: true,
    ...(channels && { channels: refsOf(applying, 'channels', channels).join(',') }),
    ...(policy !== undefined && {
      policy: policy === null ? null : Number(applying.refs.policies.get(policy)),
    }),
    now: applying.now,
  }
}
