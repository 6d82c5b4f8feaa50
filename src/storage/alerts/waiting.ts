/** What waits for a channel, as the plan of its messages needs it. */
import { sql } from 'kysely'
import type { ClosingEnd, Notice } from '../../core/alerts/alert.js'
import type { Change, ChangeStatus } from '../../core/alerts/delivery/change.js'
import type { Flapping } from '../../core/alerts/delivery/flapping.js'
import type { WaitingCheck } from '../../core/alerts/delivery/plan-values.js'
import type { Reported } from '../../core/alerts/delivery/reconcile.js'
import { markUnplanned } from '../../core/alerts/delivery/under-holds.js'
import type { Check, StoredStatus } from '../../core/checks/check.js'
import type { Flip, FlipReason } from '../../core/checks/flip.js'
import { isAcknowledged } from '../../core/incidents/listed-incident.js'
import { changeInstants, recentFlips } from '../checks/history/recent-flips.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { type Gathering, gatheredWhere, isAmong } from '../gathered.js'
import { prepared, preparedList } from '../prepared.js'
import type { ChannelNotice } from './channel-notices.js'
import { type Held, hasParents, hasSilences, type MayBeHeld } from './holds/held.js'
import { isTarget } from './links/targets.js'

/** A waiting notice. The text of a notice about a limit is written when it is sent, by the recipient's clock. */
export type WaitingNotice =
  | (Omit<Notice, 'now' | 'site'> & Pick<ChannelNotice, 'about' | 'fallback'>)
  | { type: 'limit'; holds: 'all' | 'all but down alerts'; hourly: number; until: number }

/** The content of a closing message for a check that was deleted or is not linked to the channel any more. */
export interface Closing {
  check: Check
  project: { id: number; uuid: string; name: string }
  at: number
  end: ClosingEnd
  /**
   * Whether the check was reported down; false if it may have been. For a check that still exists the
   * table `reported` tells this.
   */
  reported: boolean
}

/** A row of deliveries with the facts about its check and channel. */
export interface WaitingRow {
  id: number
  uuid: string
  channelId: number
  groupId: number | null
  checkId: number | null
  flipId: number | null
  flip: Flip | null
  notice: WaitingNotice | null
  closing: Closing | null
  /** Its claim ran out. The message may have arrived, so it counts as an attempt. */
  abandoned: boolean
  /** Since when there has been something to send, and the number of attempts. */
  createdAt: number
  attempts: number
  /** What was last reported about the check. */
  reported: Reported
  flapping: Flapping | null
  /** Whether the check is down now, and whether the channel is linked to it. */
  isDown: boolean
  isTarget: boolean
  /** The check's last ping (ms), if it has had one. */
  lastPing: number | null
  /** Its incident; null for a notice, and for a check that was deleted. */
  incidentId: number | null
  /** When that was opened; null if it is not kept any more. */
  incidentOpenedAt: number | null
  /** When it ended; null: it is open, or not kept any more. */
  incidentClosedAt: number | null
  isAcknowledged: boolean
  /** What may hold its down alerts; see holds/held.ts. */
  mayBeHeld: MayBeHeld
  /** Null for a notice. */
  change: Change | null
}

/**
 * What is due for a channel: at most `most` deliveries, oldest first, each with everything else that waits about its
 * check. Checks with a message under way are left out. `mayBeMore`: whether the limit was reached.
 */
export async function waitingFor(
  db: Db,
  channelId: number,
  now: number,
  most: number,
): Promise<{ checks: WaitingRow[][]; others: WaitingRow[]; mayBeMore: boolean }> {
  const values = { channelId, now, most }
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
    .where(unclaimed(value.now, 'due'))
    .where('due.check_id', 'not in', eb =>
      eb
        .selectFrom('deliveries as sending')
        .select('sending.check_id')
        .where('sending.channel_id', '=', value.channelId)
        .where('sending.check_id', 'is not', null)
        .where('sending.claimed_until', '>=', value.now),
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
    .where(unclaimed(value.now, 'd'))
    .orderBy('d.due_at')
    .limit(value.most),
)

const NO_CHECK = {
  flip_at: null,
  old_status: null,
  new_status: null,
  reason: null,
  flapping_at: null,
  flapping_changed_at: null,
  reported_flip: null,
  check_status: null,
  last_ping: null,
  is_target: 1,
  project_id: null,
  opened_at: null,
  closed_at: null,
  ack_at: null,
  ack_until: null,
  has_silences: 0,
  has_parents: 0,
}

function toWaiting(row: Awaited<ReturnType<typeof rowsOfChecks>>[number], now: number): WaitingRow {
  const abandoned = row.claimed_by !== null
  const closing = row.closing === null ? null : (JSON.parse(row.closing) as Closing)
  const flip: Flip | null =
    row.flip_at === null
      ? null
      : {
          createdAt: row.flip_at,
          oldStatus: row.old_status as StoredStatus,
          newStatus: row.new_status as StoredStatus,
          reason: row.reason as FlipReason,
        }
  return {
    id: row.id,
    uuid: row.uuid,
    channelId: row.channel_id,
    groupId: row.group_id,
    checkId: row.check_id,
    flipId: row.flip_id,
    flip,
    notice: row.notice === null ? null : JSON.parse(row.notice),
    closing,
    abandoned,
    createdAt: row.created_at,
    attempts: row.attempts + (abandoned ? 1 : 0),
    reported: closing?.reported
      ? { flipId: 0 }
      : row.reported_flip === null
        ? null
        : { flipId: row.reported_flip },
    flapping:
      row.flapping_at === null || row.flapping_changed_at === null
        ? null
        : { reportedAt: row.flapping_at, changedAt: row.flapping_changed_at },
    isDown: row.check_status === 'down',
    isTarget: row.is_target === 1,
    lastPing: row.last_ping,
    incidentId: row.incident_id,
    incidentOpenedAt: row.opened_at,
    incidentClosedAt: row.closed_at,
    isAcknowledged: isAcknowledged({ at: row.ack_at, until: row.ack_until }, now),
    mayBeHeld: {
      projectId: row.project_id,
      silences: row.has_silences === 1,
      parents: row.has_parents === 1,
    },
    change:
      row.notice !== null
        ? null
        : {
            id: row.id,
            status: closing ? 'deleted' : ((row.new_status ?? 'up') as ChangeStatus),
            flipId: row.flip_id,
            at: row.flip_at ?? row.created_at,
            attempts: row.attempts + (abandoned ? 1 : 0),
            heldBy: row.held_by,
            delayed: row.delayed === 1,
            superseded: row.superseded,
            missed: row.missed === 1,
            createdAt: row.created_at,
            again: row.again,
          },
  }
}
