/** Writes new values of many checks with few statements, in the transaction of the caller. */
import { rulesAfter, type Values, valuesNow } from '../../../core/checks/bulk-edit/edit-check.js'
import { changeRules } from '../../../core/checks/health/change-rules.js'
import { checkValues } from '../../../core/events/check-values.js'
import { appendTo } from '../../../lib/append-to.js'
import { endTargets, withMembers } from '../../alerts/links/end-targets.js'
import { oweAgain } from '../../alerts/links/owe-again.js'
import { restoreLinks } from '../../alerts/links/restore-links.js'
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
import type { EditableCheck } from './editable.js'

/** A check with its state, locked, and its new values. */
export interface Write {
  one: EditableCheck
  loaded: LoadedCheck
  values: Values
}

/** What has to be announced. */
interface Written {
  wakeAt: number | null
  alerts: boolean
}

/** Either the edit can be undone, until an instant (ms), or an edit made at an instant is undone. */
export type Undoing = { undoableUntil: number } | { undoes: number }

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
  for (const projectId of projectsOf(changed)) await followPolicies(db, { projectId }, now)
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

/** Only the links that differ are written: others that change at the same time stay. */
async function saveChannels(
  db: Db,
  writes: readonly Write[],
  now: number,
  undoing: Undoing,
): Promise<boolean> {
  const added: { check: number; channel: string }[] = []
  const removed: typeof added = []
  for (const { one, values } of writes) {
    if (!values.channels) continue
    const after = values.channels
    const check = one.check.id
    added.push(...after.filter(uuid => !one.channels.includes(uuid)).map(channel => ({ check, channel })))
    removed.push(...one.channels.filter(uuid => !after.includes(uuid)).map(channel => ({ check, channel })))
  }
  const ids = await channelIds(
    db,
    [...added, ...removed].map(({ channel }) => channel),
  )
  const known = ({ channel }: { channel: string }) => ids.has(channel)
  for (const some of chunks(added.filter(known), Math.floor(db.dialect.maxParameters / 2))) {
    await db.sql
      .insertInto('check_channels')
      .values(some.map(({ check, channel }) => ({ check_id: check, channel_id: ids.get(channel)! })))
      .onConflict(oc => oc.columns(['check_id', 'channel_id']).doNothing())
      .execute()
  }
  const gone = new Map<number, number[]>()
  for (const { check, channel } of removed.filter(known)) appendTo(gone, ids.get(channel)!, check)
  const members = new Set<number>()
  for (const [channel, checks] of gone) {
    for (const some of chunks(checks, db.dialect.maxParameters - 1)) {
      await db.sql
        .deleteFrom('check_channels')
        .where('channel_id', '=', channel)
        .where('check_id', 'in', some)
        .execute()
    }
    for (const id of await withMembers(db, channel)) members.add(id)
  }
  const dueAt = 'undoes' in undoing ? now : undoing.undoableUntil
  const ends =
    members.size > 0 && (await endTargets(db, { channelIds: [...members] }, 'unlinked', now, dueAt))
  const linked = new Map<number, number[]>()
  for (const { check, channel } of added.filter(known)) appendTo(linked, ids.get(channel)!, check)
  if (!('undoes' in undoing))
    return (await oweAgain(db, [...new Set([...linked.values()].flat())], now)) || ends
  let restored = false
  for (const [channel, checkIds] of linked) {
    const links = { checkIds, channelIds: await withMembers(db, channel), removedAt: undoing.undoes }
    if (await restoreLinks(db, links, now)) restored = true
  }
  return restored || ends
}

async function channelIds(db: Db, uuids: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const some of chunks([...new Set(uuids)], db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('channels')
      .select(['id', 'uuid'])
      .where('uuid', 'in', some)
      .execute()
    for (const { id, uuid } of rows) ids.set(uuid, id)
  }
  return ids
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
    object: { id: one.check.uuid, name: one.check.name },
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
