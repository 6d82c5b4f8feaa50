/** What is still to be told: claimed with a lease, settled by compare-and-set. */
import { randomUUID } from 'node:crypto'
import type { Notice } from '../core/alert.js'
import type { StoredStatus } from '../core/check.js'
import type { Flip, FlipReason } from '../core/flip.js'
import type { Flapping, Told } from '../core/noise.js'
import { appendTo } from '../lib/append-to.js'
import { chunks } from './chunks.js'
import { type Claim, claimRows, unclaimed } from './claims.js'
import type { Db } from './db.js'

/** A delivery that this process has taken on, with the row of the attempt that it is about to make. */
export interface ClaimedDelivery {
  id: number
  /** The idempotency key, the same for every attempt. */
  uuid: string
  notificationUuid: string
  channelId: number
  channel: {
    uuid: string
    projectId: number
    kind: string
    name: string
    settings: Record<string, string>
    disabled: boolean
    /** False until the owner of its address has agreed. */
    confirmed: boolean
    /** What it was told lately. */
    told: Told
  }
  groupId: number | null
  checkId: number | null
  flipId: number | null
  flip: Flip | null
  notice: Omit<Notice, 'now' | 'site'> | null
  /** Attempts made before this one. */
  attempts: number
  superseded: number
  createdAt: number
  /** Newer changes of the same check waiting for the same channel, oldest first. */
  newer: { status: StoredStatus; at: number }[]
  /** Whether it waited until its channel has room again. */
  held: boolean
  /** Set where the channel was told that the check is flapping. */
  flapping: Flapping | null
}

/** What is to be claimed: of all channels that are not busy, or of one. */
export interface DeliveryClaim extends Claim {
  worker: string
  busyChannels: number[]
  /** Deliveries that this process is still at: their leases may seem to be over when the clock is set. */
  inHand: number[]
  onlyChannel?: number
}

/** When the next delivery may be claimed (ms), or null when none is waiting. */
export async function nextDelivery(db: Db, now: number): Promise<number | null> {
  const row = await db.sql
    .selectFrom('deliveries')
    .select('due_at')
    .where(unclaimed(now))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/**
 * Takes up to `limit` due deliveries for `worker` until `leaseUntil`, leaving out busy channels and what is in hand,
 * and notes an attempt for each. Of one check and channel only the oldest is ever taken, so their order is kept.
 */
export async function claimDeliveries(db: Db, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  let query = db.sql
    .selectFrom('deliveries as d')
    .innerJoin('channels as c', 'c.id', 'd.channel_id')
    .leftJoin('flips as f', 'f.id', 'd.flip_id')
    .selectAll('d')
    .leftJoin('flapping as fl', join =>
      join.onRef('fl.check_id', '=', 'd.check_id').onRef('fl.channel_id', '=', 'd.channel_id'),
    )
    .select([
      'c.uuid as channel_uuid',
      'c.project_id',
      'c.kind',
      'c.name',
      'c.settings',
      'c.disabled',
      'c.confirmed',
    ])
    .select(['c.minute_from', 'c.minute_falls', 'c.minute_others'])
    .select(['c.hour_from', 'c.hour_falls', 'c.hour_others'])
    .select(['fl.told_at as flapping_told_at', 'fl.changed_at as flapping_changed_at'])
    .select(['f.created_at as flip_at', 'f.old_status', 'f.new_status', 'f.reason'])
    .where('d.due_at', '<=', claim.now)
    .where(unclaimed(claim.now))
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deliveries as older')
            .select('older.id')
            .whereRef('older.channel_id', '=', 'd.channel_id')
            .whereRef('older.check_id', '=', 'd.check_id')
            .whereRef('older.id', '<', 'd.id'),
        ),
      ),
    )
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(claim.limit)
  if (claim.busyChannels.length > 0) query = query.where('d.channel_id', 'not in', claim.busyChannels)
  if (claim.inHand.length > 0) query = query.where('d.id', 'not in', claim.inHand)
  if (claim.onlyChannel !== undefined) query = query.where('d.channel_id', '=', claim.onlyChannel)
  // So that several processes that look at once share out what is due, and none comes away with nothing.
  if (db.dialect.skipsLocked) query = query.forUpdate('d').skipLocked()
  const candidates = await query.execute()
  const ids = candidates.map(row => row.id)
  const mine = new Set(await claimRows(db, 'deliveries', ids, claim))
  if (mine.size === 0) return []
  const rows = candidates.filter(row => mine.has(row.id))
  const newer = await newerOf(db, rows)
  const claimed = rows.map(
    (row): ClaimedDelivery => ({
      id: row.id,
      uuid: row.uuid,
      notificationUuid: randomUUID(),
      channelId: row.channel_id,
      channel: {
        uuid: row.channel_uuid,
        projectId: row.project_id,
        kind: row.kind,
        name: row.name,
        settings: JSON.parse(row.settings),
        disabled: row.disabled === 1,
        confirmed: row.confirmed === 1,
        told: {
          minute: { from: row.minute_from, falls: row.minute_falls, others: row.minute_others },
          hour: { from: row.hour_from, falls: row.hour_falls, others: row.hour_others },
        },
      },
      groupId: row.group_id,
      checkId: row.check_id,
      flipId: row.flip_id,
      flip:
        row.flip_at === null
          ? null
          : {
              createdAt: row.flip_at,
              oldStatus: row.old_status as StoredStatus,
              newStatus: row.new_status as StoredStatus,
              reason: row.reason as FlipReason,
            },
      notice: row.notice === null ? null : JSON.parse(row.notice),
      attempts: row.attempts,
      superseded: row.superseded,
      createdAt: row.created_at,
      newer: newer.get(row.id) ?? [],
      held: row.held === 1,
      flapping:
        row.flapping_told_at === null || row.flapping_changed_at === null
          ? null
          : { toldAt: row.flapping_told_at, changedAt: row.flapping_changed_at },
    }),
  )
  await noteAttempts(db, claimed, claim.now)
  return claimed
}

async function newerOf(db: Db, rows: { id: number }[]) {
  const found = await db.sql
    .selectFrom('deliveries as d')
    .innerJoin('deliveries as newer', join =>
      join
        .onRef('newer.channel_id', '=', 'd.channel_id')
        .onRef('newer.check_id', '=', 'd.check_id')
        .onRef('newer.id', '>', 'd.id'),
    )
    .innerJoin('flips as f', 'f.id', 'newer.flip_id')
    .select(['d.id', 'f.new_status as status', 'f.created_at as at'])
    .where(
      'd.id',
      'in',
      rows.map(row => row.id),
    )
    .orderBy('newer.id')
    .execute()
  const newer = new Map<number, ClaimedDelivery['newer']>()
  for (const { id, status, at } of found) {
    appendTo(newer, id, { status: status as StoredStatus, at })
  }
  return newer
}

async function noteAttempts(db: Db, claimed: ClaimedDelivery[], now: number): Promise<void> {
  for (const some of chunks(claimed, Math.floor(db.dialect.maxParameters / 9))) {
    await db.sql
      .insertInto('notifications')
      .values(
        some.map(delivery => ({
          uuid: delivery.notificationUuid,
          delivery_uuid: delivery.uuid,
          channel_id: delivery.channelId,
          check_id: delivery.checkId,
          flip_id: delivery.flipId,
          check_status: delivery.flip?.newStatus ?? '',
          attempt: delivery.attempts + 1,
          created_at: now,
          error: 'Sending',
        })),
      )
      .execute()
  }
}

/** Keeps what `worker` has claimed its own until `until`. */
export async function renewClaims(db: Db, worker: string, until: number): Promise<void> {
  await db.sql
    .updateTable('deliveries')
    .set({ claimed_until: until })
    .where('claimed_by', '=', worker)
    .where('claimed_until', 'is not', null)
    .execute()
}

/** Gives back what `worker` has claimed and not settled, to be made by whoever comes next. */
export async function releaseClaims(db: Db, worker: string, now: number): Promise<void> {
  await db.sql
    .updateTable('notifications')
    .set({ error: 'Interrupted by a shutdown' })
    .where('error', '=', 'Sending')
    .where(
      'delivery_uuid',
      'in',
      db.sql.selectFrom('deliveries').select('uuid').where('claimed_by', '=', worker),
    )
    .execute()
  await db.sql
    .updateTable('deliveries')
    .set({ claimed_by: null, claimed_until: null, due_at: now })
    .where('claimed_by', '=', worker)
    .execute()
}
