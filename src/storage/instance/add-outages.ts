/** Stores outages, joined with those that are stored. See decision 0104. */
import { around, belongTogether, joined, type Outage, outageOf } from '../../core/instance/outage.js'
import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { outagesFrom } from './hold-columns.js'
import { allBeats, COLUMNS, toOutage } from './outages.js'
import { type CheckInParts, partOfCheck, partOfProject } from './parts.js'

/** Pages look back 94 days, reports and messages less: older outages are deleted when a newer one is stored. */
const RETENTION_MS = 100 * 86_400_000

/** Locks the list of outages until the transaction ends. */
export async function lockOutages(db: Db): Promise<void> {
  await db.sql
    .insertInto('meta')
    .values({ key: 'outages', value: '' })
    .onConflict(oc => oc.column('key').doUpdateSet({ value: '' }))
    .execute()
}

/** Stores outages, joined with each other and with stored ones if they overlap or are close. */
export async function addOutages(db: Db, outages: readonly Outage[]): Promise<void> {
  if (outages.length === 0) return
  const since = Math.min(...outages.map(({ startedAt }) => startedAt))
  await db.sql
    .deleteFrom('outages')
    .where('hold_until', '<', since - RETENTION_MS)
    .execute()
  const known = await storedNear(db, outages)
  const replaced: number[] = []
  for (const outage of outages) {
    const others = known.get(outage.part) ?? []
    const joins = others.filter(other => belongTogether(outage, other.outage))
    replaced.push(...joins.flatMap(({ id }) => id ?? []))
    const all = joined([outage, ...joins.map(other => other.outage)])
    known.set(outage.part, [...others.filter(other => !joins.includes(other)), { id: null, outage: all }])
  }
  for (const ids of chunks(replaced, db.dialect.maxParameters))
    await db.sql.deleteFrom('outages').where('id', 'in', ids).execute()
  const rows = [...known.values()].flat().flatMap(({ id, outage }) => (id === null ? [toRow(outage)] : []))
  for (const some of chunks(rows, ROWS_AT_ONCE)) await db.sql.insertInto('outages').values(some).execute()
}

/** With six parameters each. */
const ROWS_AT_ONCE = 500

/** An outage, and the ID of its row; null if it is not stored yet. */
interface Known {
  id: number | null
  outage: Outage
}

/** The stored outages that overlap one of these or are close, and some more, by part. */
async function storedNear(db: Db, outages: readonly Outage[]): Promise<Map<string | undefined, Known[]>> {
  const spans = outages.map(around)
  const from = Math.min(...spans.map(span => span.from))
  const rows = await db.sql
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('started_at', '<', Math.max(...spans.map(span => span.to)))
    .where('ended_at', '>', from)
    // Implied by the condition before, but this one has an index.
    .where('hold_until', '>', from)
    .execute()
  const known = new Map<string | undefined, Known[]>()
  for (const { id, ...row } of rows) {
    const outage = toOutage(row)
    appendTo(known, outage.part, { id, outage })
  }
  return known
}

function toRow({ startedAt, endedAt, holdUntil, partial, heardMs = 0, part = '' }: Outage) {
  return {
    started_at: startedAt,
    ended_at: endedAt,
    hold_until: holdUntil,
    partial: partial ? 1 : 0,
    heard_ms: heardMs,
    part,
  }
}

/**
 * Stores what its project missed lately as missed of this check too, which leaves the project at `now`: some of its pings may be
 * among those, and their deadlines go on waiting.
 */
export async function keepOutages(db: Db, { id, projectId }: CheckInParts, now: number): Promise<void> {
  const project = partOfProject(projectId)
  const rows = await db.sql
    .selectFrom('outages')
    .select(COLUMNS)
    .where('part', '=', project)
    .where('hold_until', '>=', outagesFrom(now))
    .execute()
  const instants = (await allBeats(db)).flatMap(({ behind = {} }) => behind[project] ?? [])
  const troubles = instants.map(from => outageOf({ from, to: now, partial: true }, db.settings.outageHoldMs))
  const part = partOfCheck(id)
  await addOutages(
    db,
    [...rows.map(toOutage), ...troubles].map(outage => ({ ...outage, part })),
  )
}
