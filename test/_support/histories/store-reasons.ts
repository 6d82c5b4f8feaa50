/** T5 in the store: what is held or dropped says why, where people and programs read it. */
import type { Taken } from '../../../src/storage/alerts/messages.js'
import { WHEN_ENABLED } from '../../../src/storage/channels/disable-channel.js'
import type { Store } from '../../../src/storage/store.js'

/** A delivery, as it is stored. */
export interface StoredDelivery {
  id: number
  uuid: string
  checkId: number | null
  channelId: number
  incidentId: number | null
  heldBy: string | null
  dueAt: number
  again: string | null
}

export type Raw = (sql: string) => Promise<Record<string, unknown>[]>

export async function storedDeliveries(raw: Raw): Promise<StoredDelivery[]> {
  const rows = await raw(
    'SELECT id, uuid, check_id, channel_id, incident_id, held_by, due_at, again FROM deliveries ORDER BY id',
  )
  return rows.map(row => ({
    id: Number(row.id),
    uuid: String(row.uuid),
    checkId: row.check_id === null ? null : Number(row.check_id),
    channelId: Number(row.channel_id),
    incidentId: row.incident_id === null ? null : Number(row.incident_id),
    heldBy: row.held_by === null ? null : String(row.held_by),
    dueAt: Number(row.due_at),
    again: row.again === null ? null : String(row.again),
  }))
}

/** What people chose by linking and by the directions of a channel, or have been sent: only the metric counts it. */
const COUNTED_ONLY = new Set(['unwanted', 'unlinked', 'reported'])

interface Project {
  store: Store
  projectId: number
  raw: Raw
  now: number
  /** The name of what can hold a check. */
  holderOf(checkId: number): string
}

/** What claims did without a visible reason, in words. */
export async function unexplainedByClaims(
  project: Project,
  taken: readonly Taken[],
  before: readonly StoredDelivery[],
): Promise<string[]> {
  const after = new Map((await storedDeliveries(project.raw)).map(row => [row.id, row]))
  const gone = before.filter(({ id }) => !after.has(id))
  const problems = await unexplainedDrops(project, taken, gone)
  for (const was of before) {
    const is = after.get(was.id)
    if (!is || (is.heldBy !== 'silence' && is.heldBy !== 'dependency')) continue
    // It waits for the channel now.
    if (is.dueAt >= WHEN_ENABLED) continue
    if (is.dueAt !== was.dueAt || is.heldBy !== was.heldBy)
      problems.push(...(await unexplainedHold(project, is)))
  }
  return problems
}

async function unexplainedDrops(
  { store, projectId, raw, now }: Project,
  taken: readonly Taken[],
  gone: readonly StoredDelivery[],
): Promise<string[]> {
  const dropped = taken.flatMap(one => one.dropped)
  const noReason = dropped.filter(({ reason }) => !reason).map(() => 'a drop without a reason for the metric')
  if (gone.length === 0) return noReason
  let visible = 0
  for (const { uuid, incidentId, again, channelId } of gone) {
    const notes = await raw(`SELECT error FROM notifications WHERE delivery_uuid = '${uuid}' AND error <> ''`)
    const events =
      again === null || incidentId === null
        ? []
        : await raw(`
            SELECT reason FROM incident_events WHERE incident_id = ${incidentId} AND kind = 'dropped'
              AND channel_id = ${channelId} AND created_at = ${now} AND reason <> ''`)
    if (notes.length + events.length === 0) continue
    visible++
    if (incidentId === null) continue
    const { entries } = await store.incidents.timeline(projectId, incidentId, now)
    const isShown = entries.some(
      entry =>
        (entry.type === 'message' && entry.error !== '') || (entry.type === 'dropped' && entry.at === now),
    )
    if (!isShown) noReason.push(`incident ${incidentId} does not show a drop`)
  }
  const counted = dropped.filter(({ reason }) => COUNTED_ONLY.has(reason)).length
  // What is gone without being dropped was replaced before it was planned.
  const expected = dropped.length - counted
  if (visible < expected) {
    noReason.push(
      `${expected - visible} of ${dropped.map(({ reason }) => reason).join(', ')} are not visible`,
    )
  }
  return noReason
}

async function unexplainedHold(
  { store, projectId, raw, now, holderOf }: Project,
  { checkId, channelId, incidentId, heldBy, dueAt }: StoredDelivery,
): Promise<string[]> {
  if (incidentId === null || checkId === null) return []
  const holder = holderOf(checkId)
  const what = `the hold of check ${checkId} by ${heldBy} ${holder}`
  if (dueAt <= now) return [`${what} has no end`]
  const [channel] = await raw(`SELECT uuid FROM channels WHERE id = ${channelId}`)
  const { entries } = await store.incidents.timeline(projectId, incidentId, now)
  const isOwn = (one: { uuid: string } | null) => one?.uuid === channel!.uuid
  const last = entries.findLast(entry => entry.type === 'held' && isOwn(entry.channel))
  if (last?.type !== 'held') return [`${what} is not in its incident`]
  const problems: string[] = []
  if (last.reason !== heldBy || !last.text.includes(holder)) {
    problems.push(`${what} is in its incident as ${last.reason}: ${last.text}`)
  }
  const [check] = await raw(`SELECT uuid FROM checks WHERE id = ${checkId}`)
  const explained = await store.incidents.explain(projectId, { uuid: String(check!.uuid) }, now)
  const own = explained.channels.find(one => isOwn(one.channel))
  if (!own?.waiting.some(alert => alert.heldBy === heldBy)) problems.push(`${what} is not explained`)
  if (!own?.holds.some(({ name, reason }) => name === holder && reason === heldBy)) {
    problems.push(`${what} is not among those that are active`)
  }
  return problems
}
