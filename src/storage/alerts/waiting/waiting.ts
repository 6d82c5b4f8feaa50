/** What waits for a channel, as the plan of its messages needs it. */
import { sql } from 'kysely'
import type { WaitingCheck } from '../../../core/alerts/delivery/plan-values.js'
import { markUnplanned } from '../../../core/alerts/delivery/under-holds.js'
import { changeInstants, recentFlips } from '../../checks/history/recent-flips.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { type Gathering, gatheredWhere, isAmong } from '../../gathered.js'
import { prepared, preparedList } from '../../prepared.js'
import { type Held, hasParents, hasSilences } from '../holds/held.js'
import { isTarget } from '../links/targets.js'
import { NO_CHECK, toWaiting, type WaitingRow } from './waiting-row.js'

/**
 * What is due for a channel: at most `most` deliveries, oldest first, each with everything else that waits about its
 * check. Checks with a message under way are left out: one whose claim did not end before `endedBefore`. `mayBeMore`: whether the limit was reached.
 */
export async function waitingFor(
  db: Db,
  channelId: number,
  { now, endedBefore, most }: { now: number; endedBefore: number; most: number },
): Promise<{ checks: WaitingRow[][]; others: WaitingRow[]; mayBeMore: boolean }> {
  const values = { channelId, now, endedBefore, most }
  const [due, others] = await Promise.all([checksDue.all(db, values), othersDue.all(db, values)])
  // The statements return deliveries of one instant in any order: sorting them there would make a storm read all its
  // rows.
  for (const rows of [due, others]) rows.sort((a, b) => a.due_at - b.due_at || a.id - b.id)
  // Those whose server is away wait for it, and do not keep the others.
  const present = due.filter(row => !db.dialect.isAway?.(row.check_id!))
  const checks = new Map<number, WaitingRow[]>(present.map(row => [row.check_id!, []]))
  const asked = [...checks.keys()].map(checkId => ({ checkId }))
  for (const row of await rowsOfChecks(db, { channelId, now }, asked)) {
    checks.get(row.check_id!)!.push(toWaiting(row, now))
  }
  return {
    checks: [...checks.values()].filter(rows => rows.length > 0),
    others: others.map(row => toWaiting({ ...row, ...NO_CHECK }, now)),
    mayBeMore: due.length === most || others.length === most,
  }
}

/** The rows of one check as the plan needs them; with the history of changes only if `historic`. */
export async function toWaitingCheck(
  db: Db,
  rows: readonly WaitingRow[],
  { holds, heldAt }: Held,
  outageUntil: number | null,
  historic: boolean,
): Promise<WaitingCheck> {
  const { checkId, flipId, reported, flapping, isDown, isTarget, isAcknowledged, incidentClosedAt } =
    rows.at(-1)!
  const asks = historic && checkId !== null && flipId !== null
  return {
    checkId,
    changes: markUnplanned(
      rows.map(row => row.change!),
      heldAt,
    ),
    reported,
    flapping,
    isDown,
    overAt: incidentClosedAt,
    isTarget,
    isAcknowledged,
    holds,
    outageUntil,
    history: asks ? changeInstants(await recentFlips(db, checkId, flipId)) : [],
  }
}

interface Asked extends Record<string, number> {
  channelId: number
  now: number
  endedBefore: number
  most: number
}

/** Deliveries under way are found once, by their own index, however many wait. */
const checksDue = prepared((sql, value: Asked) =>
  sql
    .selectFrom('deliveries as due')
    .select(['due.id', 'due.check_id', 'due.due_at'])
    .where('due.channel_id', '=', value.channelId)
    .where('due.check_id', 'is not', null)
    .where('due.due_at', '<=', value.now)
    .where(unclaimed(value.endedBefore, 'due'))
    .where('due.check_id', 'not in', eb =>
      eb
        .selectFrom('deliveries as sending')
        .select('sending.check_id')
        .where('sending.channel_id', '=', value.channelId)
        .where('sending.check_id', 'is not', null)
        .where('sending.claimed_until', '>=', value.endedBefore),
    )
    .orderBy('due.due_at')
    .limit(value.most),
)

/** Queried by check, because only then is the index of channel and check sure to be used. */
const rowsOfChecks = preparedList(
  (_sql, value: { channelId: number; now: number }, items: { checkId: number }[], engine) =>
    gatheredWhere(engine, () => waitingAbout(value.channelId, items))
      .selectFrom('deliveries as d')
      .leftJoin('checks as c', 'c.id', 'd.check_id')
      .leftJoin('flips as f', 'f.id', 'd.flip_id')
      .leftJoin('flapping as fl', join =>
        join.onRef('fl.check_id', '=', 'd.check_id').onRef('fl.channel_id', '=', 'd.channel_id'),
      )
      .leftJoin('reported as r', join =>
        join.onRef('r.check_id', '=', 'd.check_id').onRef('r.channel_id', '=', 'd.channel_id'),
      )
      .leftJoin('incidents as i', 'i.id', 'd.incident_id')
      .selectAll('d')
      .select(['f.created_at as flip_at', 'f.old_status', 'f.new_status', 'f.reason'])
      .select(['fl.reported_at as flapping_at', 'fl.changed_at as flapping_changed_at'])
      .select('r.flip_id as reported_flip')
      .select([
        'c.status as check_status',
        'c.last_ping',
        'c.project_id',
        'i.opened_at',
        'i.closed_at',
        'i.ack_at',
        'i.ack_until',
      ])
      .select(hasSilences('c.project_id', value.now).as('has_silences'))
      .select(hasParents('d.check_id').as('has_parents'))
      .select(eb =>
        eb.case().when(isTarget('d.check_id', 'd.channel_id')).then(1).else(0).end().as('is_target'),
      )
      .where('d.channel_id', '=', value.channelId)
      .where(
        'd.check_id',
        'in',
        items.map(({ checkId }) => checkId),
      )
      .orderBy('d.id'),
)

/** The checks, and of their flips those of deliveries. */
function waitingAbout(channelId: number, items: readonly { checkId: number }[]): Gathering {
  const among = isAmong(items.map(({ checkId }) => checkId))
  const flips = sql`SELECT flip_id FROM deliveries WHERE channel_id = ${channelId} AND check_id ${among}`
  return { checks: sql`id ${among}`, flips: sql`check_id ${among} AND id IN (${flips})` }
}

const othersDue = prepared((sql, value: Asked) =>
  sql
    .selectFrom('deliveries as d')
    .selectAll()
    .where('d.channel_id', '=', value.channelId)
    .where('d.check_id', 'is', null)
    .where('d.due_at', '<=', value.now)
    .where(unclaimed(value.endedBefore, 'd'))
    .orderBy('d.due_at')
    .limit(value.most),
)
