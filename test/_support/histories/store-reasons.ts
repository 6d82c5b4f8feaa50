/** T5 in the store: what is held or dropped says why, where people and programs read it. */
import type { Taken } from '../../../src/storage/alerts/messages.js'
import { WHEN_ENABLED } from '../../../src/storage/channels/disable-channel.js'
import type { Store } from '../../../src/storage/store.js'

/** A delivery, as it is stored. */
interface StoredDelivery {
  id: number
  checkId: number | null
  channelId: number
  incidentId: number | null
  heldBy: string | null
  dueAt: number
  /** Whether it is in a message that is being sent. */
  isClaimed: boolean
}

type Raw = (sql: string) => Promise<Record<string, unknown>[]>

async function storedDeliveries(raw: Raw): Promise<StoredDelivery[]> {
  const rows = await raw(
    'SELECT id, check_id, channel_id, incident_id, held_by, due_at, claimed_by FROM deliveries ORDER BY id',
  )
  return rows.map(row => ({
    id: Number(row.id),
    checkId: row.check_id === null ? null : Number(row.check_id),
    channelId: Number(row.channel_id),
    incidentId: row.incident_id === null ? null : Number(row.incident_id),
    heldBy: row.held_by === null ? null : String(row.held_by),
    dueAt: Number(row.due_at),
    isClaimed: row.claimed_by !== null,
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

/** What there was before claims. */
export interface Before {
  deliveries: StoredDelivery[]
  lastNote: number
  lastEvent: number
}

export async function beforeClaims(raw: Raw): Promise<Before> {
  const [row] = await raw(`SELECT
    (SELECT coalesce(max(id), 0) FROM notifications) AS note,
    (SELECT coalesce(max(id), 0) FROM incident_events) AS event`)
  const deliveries = await storedDeliveries(raw)
  return { deliveries, lastNote: Number(row!.note), lastEvent: Number(row!.event) }
}

/** What claims did without a visible reason, in words. */
export async function unexplainedByClaims(
  project: Project,
  taken: readonly Taken[],
  before: Before,
): Promise<string[]> {
  const after = new Map((await storedDeliveries(project.raw)).map(row => [row.id, row]))
  const problems = await unexplainedDrops(project, taken, before)
  for (const was of before.deliveries) {
    const is = after.get(was.id)
    // What is sent keeps why it waited before.
    if (!is || is.isClaimed || (is.heldBy !== 'silence' && is.heldBy !== 'dependency')) continue
    // It waits for the channel now.
    if (is.dueAt >= WHEN_ENABLED) continue
    if (is.dueAt !== was.dueAt || is.heldBy !== was.heldBy) {
      problems.push(...(await unexplainedHold(project, is)))
    }
  }
  return problems
}

async function unexplainedDrops(
  { store, projectId, raw, now }: Project,
  taken: readonly Taken[],
  { lastNote, lastEvent }: Before,
): Promise<string[]> {
  const reasons = taken.flatMap(({ dropped }) => dropped.map(({ reason }) => reason))
  const expected = reasons.filter(reason => !COUNTED_ONLY.has(reason))
  if (expected.length === 0) return []
  const notes = await raw(
    `SELECT incident_id FROM notifications WHERE id > ${lastNote} AND error NOT IN ('', 'Sending') AND created_at = ${now}`,
  )
  const events = await raw(
    `SELECT incident_id FROM incident_events WHERE id > ${lastEvent} AND kind = 'dropped' AND reason <> ''`,
  )
  const problems: string[] = []
  if (notes.length + events.length < expected.length) {
    problems.push(
      `only ${notes.length} messages and ${events.length} events say that ${expected} were dropped`,
    )
  }
  const incidents = [...notes, ...events].flatMap(row =>
    row.incident_id === null ? [] : Number(row.incident_id),
  )
  for (const id of new Set(incidents)) {
    const { entries } = await store.incidents.timeline(projectId, id, now)
    const shown = entries.filter(
      entry =>
        (entry.type === 'message' && entry.error !== '' && entry.lastAt === now) ||
        (entry.type === 'dropped' && entry.at === now),
    )
    if (shown.length === 0) problems.push(`incident ${id} does not show what was dropped`)
  }
  return problems
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
