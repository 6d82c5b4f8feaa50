/** Opens incidents again whose pause is undone, as if they had never been closed. Decision 0116. */
import { undoableUntil } from '../../core/checks/undo.js'
import { appendTo } from '../../lib/append-to.js'
import { endPostponement } from '../alerts/deliveries.js'
import { correctReported } from '../alerts/links/correct-reported.js'
import { chunks } from '../chunks.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { latestIncident } from './latest-incident.js'
import { lookNow } from './policies/progress-rows.js'

/** A check, locked, and when it was paused. */
interface RestoredCheck {
  id: number
  uuid: string
  name: string
  pausedAt: number
}

type Reopening = RestoredCheck & { incident: number; flipId: number; cause: string }

/** How many checks a statement is about. */
const AT_ONCE = 400

/**
 * Opens the incidents that the pauses of these checks of the project closed, and deletes the flips since. Channels hear nothing of
 * the pauses, and what waited for them goes on; one that was already sent an end is alerted again. Returns whether deliveries are due,
 * and the checks whose incidents were opened: not those whose pause closed none, or whose end is being sent right now.
 */
export async function restoreIncidents(
  db: Db,
  projectId: number,
  checks: readonly RestoredCheck[],
  now: number,
): Promise<{ checkIds: ReadonlySet<number>; alerts: boolean }> {
  const checkIds = new Set<number>()
  let alerts = false
  for (const some of chunks(checks, AT_ONCE)) {
    const closed = await closedByPause(db, some)
    if (closed.length === 0) continue
    await deleteClosings(db, closed, now)
    const sending = await withClosings(db, closed)
    const reopening = closed.filter(({ id }) => !sending.has(id))
    if (reopening.length === 0) continue
    if (await reopen(db, projectId, reopening, now)) alerts = true
    for (const { id } of reopening) checkIds.add(id)
  }
  return { checkIds, alerts }
}

async function closedByPause(db: Db, checks: readonly RestoredCheck[]): Promise<Reopening[]> {
  const rows = await db.sql
    .selectFrom('incidents')
    .select(['id', 'check_id', 'flip_id', 'cause', 'closed_at'])
    .where('check_id', 'in', idsOf(checks))
    .where('id', '=', latestIncident('incidents.check_id'))
    .where('closed_by', '=', 'paused')
    .execute()
  const latest = new Map(rows.map(row => [row.check_id, row]))
  return checks.flatMap(check => {
    const row = latest.get(check.id)
    if (row?.closed_at !== check.pausedAt) return []
    return [{ ...check, incident: row.id, flipId: row.flip_id, cause: row.cause }]
  })
}

async function reopen(
  db: Db,
  projectId: number,
  checks: readonly Reopening[],
  now: number,
): Promise<boolean> {
  await deleteFlips(db, checks)
  await db.sql
    .updateTable('incidents')
    .set({ closed_at: null, closed_by: null, releases: 0, release_at: null })
    .where(
      'id',
      'in',
      checks.map(({ incident }) => incident),
    )
    .execute()
  await db.sql
    .insertInto('incident_events')
    .values(
      checks.map(({ incident, pausedAt }) => ({
        incident_id: incident,
        created_at: now,
        kind: 'note',
        author: db.actor?.name ?? '',
        text: `Paused at ${new Date(pausedAt).toISOString().slice(11, 19)} UTC; the pause was undone.`,
      })),
    )
    .execute()
  const events = checks.map(({ incident, uuid, name, cause }) => ({
    projectId,
    type: 'incident.reopened' as const,
    object: { id: incident, name },
    after: { check: uuid, cause },
  }))
  await recordEvents(db, events, now)
  const isDue = await endPostponements(db, checks, now)
  const again = await correctReported(
    db,
    checks.map(({ id, incident, flipId, pausedAt }) => ({
      id: incident,
      checkId: id,
      flipId,
      isOpen: true,
      since: pausedAt,
    })),
    now,
  )
  await lookNow(
    db,
    checks.map(({ incident }) => incident),
    now,
  )
  return isDue || again
}

async function deleteClosings(db: Db, checks: readonly Reopening[], now: number): Promise<void> {
  await db.sql
    .deleteFrom('deliveries')
    .where('id', 'in', closingsOf(db, checks).select('dl.id'))
    .where(unclaimed(now))
    .execute()
}

/** Of which an end is being sent. */
async function withClosings(db: Db, checks: readonly Reopening[]): Promise<Set<number>> {
  const rows = await closingsOf(db, checks).select('i.check_id').distinct().execute()
  return new Set(rows.map(({ check_id }) => check_id!))
}

/** The deliveries of flips since the incidents were opened. */
function closingsOf(db: Db, checks: readonly Reopening[]) {
  return incidentsOf(db, checks).innerJoin('deliveries as dl', join =>
    join.onRef('dl.check_id', '=', 'i.check_id').onRef('dl.flip_id', '>', 'i.flip_id'),
  )
}

async function deleteFlips(db: Db, checks: readonly Reopening[]): Promise<void> {
  const flips = incidentsOf(db, checks).innerJoin('flips as f', join =>
    join.onRef('f.check_id', '=', 'i.check_id').onRef('f.id', '>', 'i.flip_id'),
  )
  // They were closed when they were paused.
  await db.sql
    .deleteFrom('flips')
    .where(
      'check_id',
      'in',
      checks.map(({ id }) => id),
    )
    .where('id', 'in', flips.whereRef('f.created_at', '>=', 'i.closed_at').select('f.id'))
    .execute()
  // SQLite gives the last IDs out again.
  const notifications = incidentsOf(db, checks).innerJoin('notifications as n', join =>
    join.onRef('n.check_id', '=', 'i.check_id').onRef('n.flip_id', '>', 'i.flip_id'),
  )
  await db.sql
    .updateTable('notifications')
    .set({ flip_id: null })
    .where('id', 'in', notifications.select('n.id'))
    .execute()
}

function incidentsOf(db: Db, checks: readonly Reopening[]) {
  return db.sql.selectFrom('incidents as i').where(
    'i.id',
    'in',
    checks.map(({ incident }) => incident),
  )
}

async function endPostponements(db: Db, checks: readonly Reopening[], now: number): Promise<boolean> {
  const byPause = new Map<number, number[]>()
  for (const { id, pausedAt } of checks) appendTo(byPause, pausedAt, id)
  let isDue = false
  for (const [pausedAt, checkIds] of byPause) {
    if (await endPostponement(db, { checkIds, dueAt: undoableUntil(pausedAt) }, now)) isDue = true
  }
  return isDue
}

const idsOf = (checks: readonly RestoredCheck[]) => checks.map(({ id }) => id)
