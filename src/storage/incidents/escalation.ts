/** Carries out the steps and repeats of policies, and the repeat that is owed after an acknowledgement. Decision 0115. */
import { sql } from 'kysely'
import { REOPEN_MS } from '../../core/incidents/incident.js'
import { addDeliveries, type NewDelivery } from '../alerts/deliveries.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { lockTargetsOf } from '../channels/lock-targets.js'
import type { Db } from '../db.js'
import { lockedOf, skippingLocked } from '../locks.js'
import { costlyWrite, poll, readWithoutSnapshot } from '../method.js'
import type { Among } from '../set-aside.js'
import { decide } from './policies/decide.js'
import { findDue } from './policies/find-due.js'
import { incidentsOf, type LookedAt } from './policies/looked-at.js'
import { type ProgressRow, saveProgress } from './policies/progress-rows.js'

/** The result of looking at policies. */
export interface Escalated {
  /** Whether a delivery was added. */
  alerts: boolean
  checks: false
  /** How many channels of incidents were looked at, or put off by a second. */
  looked: number
  /** Without its commit, and without what it waited for before it began. */
  tookMs: number
  /** The project after which the next turn begins; 0 after the last one, or if all that was due could be looked at. */
  after: number
}

/** The earliest instant (ms) at which some policy is to be looked at, or null. */
export const nextLook = poll(async (db: Db): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('incident_channels')
    .select('look_at')
    .where('look_at', 'is not', null)
    .orderBy('look_at')
    .limit(1)
    .executeTakeFirst()
  return row?.look_at ?? null
})

/** How many rows {@link dueIncidents} looks at. */
const FOUND = 1_000

/** The IDs of incidents whose policies are to be looked at, without those in `except`, the earliest first. */
export const dueIncidents = readWithoutSnapshot(
  async (db: Db, now: number, except: readonly number[]): Promise<number[]> => {
    const rows = await db.sql
      .selectFrom('incident_channels')
      .select('incident_id')
      .where('look_at', '<=', now)
      .$if(except.length > 0, query => query.where('incident_id', 'not in', except))
      .orderBy('look_at')
      .limit(FOUND)
      .execute()
    return [...new Set(rows.map(row => row.incident_id))]
  },
)

/**
 * Looks at the policies of about `limit` channels of incidents whose time has come, and adds a delivery for each step
 * and repeat that is due. If there are more, the projects take turns, those after the project `after` first. Those wait for
 * which another transaction has locked something. `among`: which incidents are looked at; default all.
 */
export const escalate = costlyWrite(
  async (db: Db, now: number, limit: number, after = 0, among: Among = {}): Promise<Escalated> => {
    const begunAt = performance.now()
    const { found, next } = await findDue(db, now, { limit, after, among })
    const rows = await lockChecks(db, found, now)
    const incidents = await incidentsOf(db, rows)
    const open = incidents.filter(({ closedAt }) => closedAt === null)
    await endClosed(
      db,
      incidents.filter(({ closedAt }) => closedAt !== null),
      now,
    )
    const deliveries: NewDelivery[] = []
    let released = 0
    if (open.length > 0) {
      const decided = await decide(db, open, now)
      const waiting = await waitingAgain(db, decided)
      released = await releaseStopped(db, [...waiting.values()].flat(), now)
      for (const { delivery } of decided) {
        if (delivery && !waiting.has(pairOf(delivery))) deliveries.push(delivery)
      }
      await saveProgress(
        db,
        decided.map(({ row }) => row),
      )
      await addDeliveries(db, deliveries, now)
    }
    const alerts = deliveries.length + released > 0
    const tookMs = performance.now() - begunAt
    return { alerts, checks: false, looked: found.length, after: next, tookMs }
  },
)

/** How soon (ms) a channel is looked at again for which another transaction has locked the check, or what alerts need. */
const LOCKED_MS = 1_000

/**
 * The rows of these whose checks could be locked, so that their incidents neither open nor close now; the others are put off. Nothing
 * is waited for, so a row may be locked before its check.
 */
async function lockChecks(db: Db, found: ProgressRow[], now: number): Promise<ProgressRow[]> {
  if (!db.dialect.hasConcurrentWrites || found.length === 0) return found
  const checkIds = [...new Set(found.map(row => row.check_id))]
  const checks = await lockedOf(db, checkIds, some =>
    db.sql
      .selectFrom('checks')
      .select(['id', 'project_id as projectId'])
      .where('id', 'in', some)
      .orderBy('id')
      .forNoKeyUpdate()
      .skipLocked(),
  )
  const waiting = await lockTargetsOf(db, checks)
  const free = new Set(checks.flatMap(({ id }) => (waiting.has(id) ? [] : [id])))
  const later = found.filter(row => !free.has(row.check_id))
  // Else they would be found again, and keep others from being found.
  await saveProgress(
    db,
    later.map(row => ({ ...row, look_at: now + LOCKED_MS })),
  )
  return found.filter(row => free.has(row.check_id))
}

/** The IDs of deliveries that wait to send an incident once more, by check and channel. */
async function waitingAgain(
  db: Db,
  decided: readonly { delivery: NewDelivery | null }[],
): Promise<Map<string, number[]>> {
  const added = decided.flatMap(({ delivery }) => delivery ?? [])
  if (added.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('deliveries')
    .select(['id', 'check_id as checkId', 'channel_id as channelId'])
    .where('again', 'is not', null)
    .where('check_id', 'in', [...new Set(added.map(({ checkId }) => checkId))])
    .where('channel_id', 'in', [...new Set(added.map(({ channelId }) => channelId))])
    .execute()
  const pairs = new Map<string, number[]>()
  for (const { id, checkId, channelId } of rows) {
    const pair = pairOf({ checkId: checkId!, channelId })
    pairs.set(pair, [...(pairs.get(pair) ?? []), id])
  }
  return pairs
}

/** Makes those of these deliveries due that waited because their incident was acknowledged. Returns their number. */
async function releaseStopped(db: Db, ids: readonly number[], now: number): Promise<number> {
  if (ids.length === 0) return 0
  const stopped = db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('held_by', '=', 'acknowledged')
    .where('due_at', '>', now)
    .where('due_at', '<', WHEN_ENABLED)
    .where('claimed_by', 'is', null)
  // A plan that has locked one of them looks for the acknowledgement itself.
  const free = await skippingLocked(db, stopped).execute()
  if (free.length === 0) return 0
  await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where(
      'id',
      'in',
      free.map(({ id }) => id),
    )
    .execute()
  return free.length
}

function pairOf({ checkId, channelId }: { checkId: number; channelId: number }): string {
  return `${checkId} ${channelId}`
}

/** How long (ms) until a closed incident is looked at again whose recovery still waits for a channel. */
const CLOSED_AGAIN_MS = 10 * 60_000

/**
 * Deletes the rows of incidents that cannot be reopened, of channels that are not owed anything any more. Only those that are looked
 * at: another transaction may have locked the others of an incident, and wait for these.
 */
async function endClosed(db: Db, incidents: readonly LookedAt[], now: number): Promise<void> {
  for (const { id, closedAt, rows } of incidents) {
    const channelIds = rows.map(row => row.channel_id)
    const finalAt = closedAt! + REOPEN_MS
    if (finalAt <= now) {
      await sql`
        DELETE FROM incident_channels WHERE incident_id = ${id} AND channel_id IN (${sql.join(channelIds)}) AND (
          is_target = 0 OR NOT EXISTS (
            SELECT 1 FROM reported r
            WHERE r.check_id = incident_channels.check_id AND r.channel_id = incident_channels.channel_id
          ) AND NOT EXISTS (
            SELECT 1 FROM deliveries d
            WHERE d.check_id = incident_channels.check_id AND d.channel_id = incident_channels.channel_id
          )
        )`.execute(db.sql)
    }
    await db.sql
      .updateTable('incident_channels')
      .set({ look_at: finalAt > now ? finalAt : now + CLOSED_AGAIN_MS })
      .where('incident_id', '=', id)
      .where('channel_id', 'in', channelIds)
      .execute()
  }
}
