/** Catches up a channel that can be used again: what was last reported is compared with what is true. Decision 0102. */
import { sql } from 'kysely'
import { endWait } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { gatheredFirst } from '../gathered.js'
import { latestIncident } from '../incidents/latest-incident.js'
import { addDeliveries, postpone } from './deliveries.js'
import { isMuch, keepForChannels } from './follow-ups/keep.js'

/**
 * Adds a delivery for each check whose reported status is wrong, for a channel or the members of a group: checks that
 * went down since and are still down, and checks that were down and are not any more. Incidents older than the
 * channel are left out. `checkIds`: only for these checks. Where there are many links, a follow-up does it. Returns whether any was
 * added.
 */
export async function bringToTruth(
  db: Db,
  channelId: number,
  now: number,
  checkIds?: readonly number[],
): Promise<boolean> {
  const members = await db.sql
    .selectFrom('group_members')
    .select('member_id')
    .where('group_id', '=', channelId)
    .execute()
  const ids = members.length > 0 ? members.map(row => row.member_id) : [channelId]
  if (checkIds === undefined && (await haveManyLinks(db, ids))) {
    await keepForChannels(db, 'truth', ids)
    for (const id of ids) await endWait(db, id, now)
    return false
  }
  let added = false
  for (const id of ids) if (await bringOne(db, id, now, checkIds)) added = true
  return added
}

/** Whether more deliveries may be missing than one transaction should add. */
function haveManyLinks(db: Db, channelIds: readonly number[]): Promise<boolean> {
  return isMuch(
    db,
    channelIds,
    some => sql`
      SELECT check_id FROM check_channels WHERE channel_id IN (${some})
      UNION ALL SELECT cc.check_id FROM group_members gm JOIN check_channels cc ON cc.channel_id = gm.group_id
      WHERE gm.member_id IN (${some})`,
  )
}

/** How many checks of a channel are looked at together. */
const CHECKS_AT_ONCE = 1_000

/**
 * Brings a channel to the truth of the first of its checks after `after`, by ID. `next`: after which check to go on; null: these were the
 * last.
 */
export async function bringNext(
  db: Db,
  channelId: number,
  after: number,
  now: number,
): Promise<{ next: number | null; alerts: boolean }> {
  const { rows } = await sql<{ id: number }>`
    SELECT check_id AS id FROM (${allLinked(channelId)}) linked
    WHERE check_id > ${after} ORDER BY check_id LIMIT ${sql.lit(CHECKS_AT_ONCE)}`.execute(db.sql)
  const ids = rows.map(({ id }) => id)
  const alerts = ids.length > 0 && (await bringOne(db, channelId, now, ids))
  return { next: ids.length < CHECKS_AT_ONCE ? null : ids.at(-1)!, alerts }
}

async function bringOne(
  db: Db,
  channelId: number,
  now: number,
  checkIds?: readonly number[],
): Promise<boolean> {
  const channel = await db.sql
    .selectFrom('channels')
    .select(['disabled', 'created_at'])
    .where('id', '=', channelId)
    .executeTakeFirst()
  if (!channel || channel.disabled === 1) return false
  if (checkIds === undefined) await endWait(db, channelId, now)
  const asked: Asked = { channelId, since: channel.created_at, checkIds }
  const down = await unreportedDown(db, asked)
  const closed = await reportedClosed(db, asked)
  const missing = [...down, ...closed].map(difference => ({ ...difference, channelId }))
  await addDeliveries(db, missing, now)
  const paused = await addPaused(db, asked, now)
  return down.length + closed.length + paused > 0
}

/**
 * Adds down alerts about checks whose pause can still be undone. They wait until it cannot, and are dropped then. Returns
 * how many.
 */
async function addPaused(db: Db, asked: Asked, now: number): Promise<number> {
  const paused = await undoablyPaused(db, asked, now)
  const { channelId } = asked
  for (const { releaseAt, ...delivery } of paused) {
    await addDeliveries(db, [{ ...delivery, channelId }], now)
    await postpone(db, { checkIds: [delivery.checkId], channelIds: [channelId] }, now, releaseAt)
  }
  return paused.length
}

/** Of a channel that exists since an instant (ms): its checks, or some of them. */
interface Asked {
  channelId: number
  since: number
  checkIds?: readonly number[] | undefined
}

interface Difference {
  checkId: number
  flipId: number
  groupId: number | null
  incidentId: number | null
}

/** The IDs of the checks that a channel is about, each once: linked ones, and those of which a step has reached it. */
function allLinked(channelId: number) {
  return sql`
    SELECT check_id FROM check_channels WHERE channel_id = ${channelId} OR channel_id IN (
      SELECT group_id FROM group_members WHERE member_id = ${channelId}
    )
    UNION SELECT check_id FROM incident_channels WHERE channel_id = ${channelId} AND is_target = 1`
}

/** Before a query of {@link linkedChecks}. */
function gatheredLinked(db: Db, { channelId, checkIds }: Asked) {
  return gatheredFirst(db, ['checks', 'flips'], checkIds ?? sql`(${allLinked(channelId)})`)
}

/**
 * The checks of a channel with the last flip `f` to or from down, if no delivery of it waits,
 * and with what was reported. A check counts if a step has reached the channel.
 */
function linkedChecks({ channelId, checkIds }: Asked, side: 'new_status' | 'old_status', further = sql``) {
  return sql`
    (
      SELECT cc.check_id, gm.group_id FROM check_channels cc
      JOIN channels linked ON linked.id = cc.channel_id AND linked.disabled = 0
      LEFT JOIN group_members gm ON gm.group_id = cc.channel_id AND gm.member_id = ${channelId}
      WHERE cc.channel_id = ${channelId} OR gm.member_id IS NOT NULL
      UNION ALL
      SELECT ic.check_id, NULL FROM incident_channels ic WHERE ic.channel_id = ${channelId} AND ic.is_target = 1
    ) link
    JOIN checks c ON c.id = link.check_id
    JOIN flips f ON f.id = (
      SELECT max(flips.id) FROM flips WHERE flips.check_id = c.id AND ${sql.ref(`flips.${side}`)} = 'down'
    )
    LEFT JOIN reported r ON r.check_id = c.id AND r.channel_id = ${channelId}
    ${further}
    WHERE NOT EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d.channel_id = ${channelId} AND d.check_id = c.id AND d.flip_id = f.id AND d.again IS NULL
    )${checkIds === undefined ? sql`` : sql` AND c.id IN (${sql.join(checkIds)})`}`
}

/** A condition: the incident `i` of check `c`, the open one or another, has a policy that has not reached the channel yet. */
function isNotReached(channelId: number, which = sql`i.closed_at IS NULL`) {
  return sql`EXISTS (
    SELECT 1 FROM incidents i JOIN incident_channels ic ON ic.incident_id = i.id
    WHERE i.check_id = c.id AND ${which} AND NOT EXISTS (
      SELECT 1 FROM incident_channels own
      WHERE own.incident_id = i.id AND own.channel_id = ${channelId} AND own.reached = 1
    )
  )`
}

/** Checks that are down although that was not reported. */
async function unreportedDown(db: Db, asked: Asked): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    ${gatheredLinked(db, asked)}
    SELECT c.id AS "checkId", f.id AS "flipId", link.group_id AS "groupId", ${latestIncident('c.id')} AS "incidentId"
    FROM ${linkedChecks(asked, 'new_status')}
      AND c.status = 'down' AND f.created_at >= ${asked.since} AND (r.flip_id IS NULL OR r.flip_id <> f.id)
      AND NOT ${isNotReached(asked.channelId)}`.execute(db.sql)
  return onePerCheck(rows)
}

/** Checks that would be down although that was not reported, if their pause were undone, and until when (ms) it can be. */
async function undoablyPaused(db: Db, asked: Asked, now: number) {
  const { rows } = await sql<Difference & { releaseAt: number }>`
    ${gatheredLinked(db, asked)}
    SELECT c.id AS "checkId", f.id AS "flipId", link.group_id AS "groupId", p.id AS "incidentId", p.release_at AS "releaseAt"
    FROM ${linkedChecks(
      asked,
      'new_status',
      sql`JOIN incidents p ON p.id = ${latestIncident('c.id')}
      AND p.flip_id = f.id AND p.closed_by = 'paused' AND p.release_at > ${now}`,
    )}
      AND c.status = 'paused' AND f.created_at >= ${asked.since} AND (r.flip_id IS NULL OR r.flip_id <> f.id)
      AND NOT ${isNotReached(asked.channelId, sql`i.id = p.id`)}`.execute(db.sql)
  return onePerCheck(rows)
}

/** Checks that are not down although they were, or may have been, reported as down. */
async function reportedClosed(db: Db, asked: Asked): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    ${gatheredLinked(db, asked)}
    SELECT c.id AS "checkId", f.id AS "flipId", link.group_id AS "groupId", ${latestIncident('c.id')} AS "incidentId"
    FROM ${linkedChecks(asked, 'old_status')}
      AND c.status <> 'down' AND (
        r.flip_id IS NOT NULL
        OR EXISTS (SELECT 1 FROM deliveries d WHERE d.channel_id = ${asked.channelId} AND d.check_id = c.id)
      )`.execute(db.sql)
  return onePerCheck(rows)
}

/** A channel that is linked both directly and through a group counts as linked directly. */
function onePerCheck<D extends Difference>(rows: readonly D[]): D[] {
  const found = new Map<number, D>()
  for (const row of rows) {
    if (!found.has(row.checkId) || row.groupId === null) found.set(row.checkId, row)
  }
  return [...found.values()]
}
