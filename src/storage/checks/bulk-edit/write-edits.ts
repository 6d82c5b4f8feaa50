/** Writes new values of many checks with few statements, in the transaction of the caller. */
import { rulesAfter, type Values, valuesNow } from '../../../core/checks/bulk-edit/edit-check.js'
import { changeRules } from '../../../core/checks/health/change-rules.js'
import { checkValues } from '../../../core/events/check-values.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'
import { recordEvents } from '../../events/record-events.js'
import { followPolicies } from '../../incidents/policies/follow-policies.js'
import { holdToJudge } from '../../instance/outages.js'
import { waivedFor } from '../../silences/waived.js'
import { wakeRetagged } from '../../silences/wake-held.js'
import { insertFlips, type NewFlip } from '../flips.js'
import { insertPassedDeadlines, type NewPassedDeadline } from '../history/passed-deadlines.js'
import { settingColumns } from '../rows/check-columns.js'
import { noteNames } from '../rows/name-directory.js'
import { saveStates } from '../rows/states.js'
import { saveChannels, type Undoing, type Write } from './save-channels.js'

/** What has to be announced. */
interface Written {
  wakeAt: number | null
  alerts: boolean
}

/** Deadlines, open incidents and waiting alerts follow, as when one check is changed. Clocks were advanced before. */
export async function writeEdits(
  db: Db,
  writes: readonly Write[],
  now: number,
  undoing: Undoing,
): Promise<Written> {
  await saveSettings(db, writes)
  await savePolicies(db, writes, now)
  const { wakeAt, alerts } = await saveRules(db, writes, now)
  const relinked = await saveChannels(db, writes, now, undoing)
  const retagged = await wakeTagged(db, writes, now)
  await recordEdits(db, writes, now)
  return { wakeAt, alerts: alerts || relinked || retagged }
}

const idsOf = (writes: readonly Write[]) => writes.map(({ one }) => one.check.id)

/** Groups by a key; the writes of a group get the same values. */
function groupsOf(writes: readonly Write[], key: (write: Write) => string): Write[][] {
  const groups = new Map<string, Write[]>()
  for (const write of writes) appendTo(groups, key(write), write)
  return [...groups.values()]
}

async function saveSettings(db: Db, writes: readonly Write[]): Promise<void> {
  const changed = writes.filter(({ values }) => Object.keys(values.settings).length > 0)
  for (const group of groupsOf(changed, ({ values }) => JSON.stringify(values.settings))) {
    const { settings } = group[0]!.values
    const [state, details] = [settingColumns('state', settings), settingColumns('details', settings)]
    for (const some of chunks(idsOf(group), db.dialect.maxParameters - 20)) {
      if (Object.keys(state).length > 0)
        await db.sql.updateTable('checks').set(state).where('id', 'in', some).execute()
      if (Object.keys(details).length > 0)
        await db.sql.updateTable('check_details').set(details).where('check_id', 'in', some).execute()
      if (settings.slug !== undefined) await noteNames(db, some)
    }
  }
}

async function savePolicies(db: Db, writes: readonly Write[], now: number): Promise<void> {
  const changed = writes.filter(({ values }) => values.policy !== undefined)
  for (const group of groupsOf(changed, ({ values }) => String(values.policy))) {
    const policy = group[0]!.values.policy!
    for (const some of chunks(idsOf(group), db.dialect.maxParameters - 1)) {
      await db.sql
        .updateTable('check_details')
        .set({ policy_id: policy })
        .where('check_id', 'in', some)
        .execute()
    }
  }
  for (const projectId of projectsOf(changed)) {
    const checkIds = idsOf(changed.filter(({ one }) => one.projectId === projectId))
    for (const some of chunks(checkIds, db.dialect.maxParameters - 10))
      await followPolicies(db, { projectId, checkIds: some }, now)
  }
}

async function saveRules(db: Db, writes: readonly Write[], now: number): Promise<Written> {
  const changed = writes.flatMap(({ loaded, values }) => {
    const rules = rulesAfter(loaded, values.settings)
    return rules ? [{ loaded, rules }] : []
  })
  if (changed.length === 0) return { wakeAt: null, alerts: false }
  const hold = await holdToJudge(db, now)
  const waived = await waivedFor(
    db,
    changed.map(({ loaded }) => loaded),
    now,
  )
  const states: LoadedCheck[] = []
  const flips: NewFlip[] = []
  const passed: NewPassedDeadline[] = []
  for (const { loaded, rules } of changed) {
    const after = changeRules(loaded, rules, now, hold(loaded), waived.get(loaded.id))
    states.push(after.check)
    flips.push(...after.flips.map(flip => ({ checkId: loaded.id, flip })))
    passed.push(...after.passed.map(deadline => ({ checkId: loaded.id, deadline })))
  }
  const wakeAt = await saveStates(db, states)
  await insertPassedDeadlines(db, passed)
  return { wakeAt, alerts: await insertFlips(db, flips, now) }
}

async function wakeTagged(db: Db, writes: readonly Write[], now: number): Promise<boolean> {
  const changed = writes.filter(({ values }) => values.settings.tags !== undefined)
  let alerts = false
  for (const projectId of projectsOf(changed)) {
    const ids = idsOf(changed.filter(({ one }) => one.projectId === projectId))
    if (await wakeRetagged(db, projectId, ids, now)) alerts = true
  }
  return alerts
}

/** How many events one statement records. */
const EVENTS_AT_ONCE = 500

async function recordEdits(db: Db, writes: readonly Write[], now: number): Promise<void> {
  const events = writes.map(({ one, values }) => ({
    projectId: one.projectId,
    type: 'check.updated' as const,
    object: { id: one.check.uuid, name: values.settings.name ?? one.check.name },
    before: eventValues(valuesNow(one, values)),
    after: eventValues(values),
  }))
  for (const some of chunks(events, EVENTS_AT_ONCE)) await recordEvents(db, some, now)
}

function eventValues({ settings, channels, policy }: Values) {
  return { ...checkValues(settings), ...(channels && { channels }), ...(policy !== undefined && { policy }) }
}

function projectsOf(writes: readonly Write[]): number[] {
  return [...new Set(writes.map(({ one }) => one.projectId))].sort((a, b) => a - b)
}
