/** Stores flips and the deliveries that they cause, in the transaction that changes the status. */
import { sql } from 'kysely'
import { concernsIncident, type Flip } from '../../core/checks/flip.js'
import { addDeliveries } from '../alerts/deliveries.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { type StoredFlip, storeIncidents } from '../incidents/store-incidents.js'
import { preparedList } from '../prepared.js'

export interface NewFlip {
  checkId: number
  flip: Flip
}

/**
 * Stores flips and, for those that open or close an incident, the incident and one delivery per enabled channel of the
 * check, with groups expanded to their members. Returns whether a delivery was added.
 */
export async function insertFlips(db: Db, flips: readonly NewFlip[], now: number): Promise<boolean> {
  let alerts = false
  for (const some of chunks(flips, Math.floor(db.dialect.maxParameters / 10))) {
    const ids = await db.sql
      .insertInto('flips')
      .values(
        some.map(({ checkId, flip }) => ({
          check_id: checkId,
          created_at: flip.createdAt,
          old_status: flip.oldStatus,
          new_status: flip.newStatus,
          reason: flip.reason,
          since_at: flip.since ?? null,
        })),
      )
      .returning('id')
      .execute()
    const concerned = some.flatMap(({ checkId, flip }, index) =>
      concernsIncident(flip) ? [{ checkId, flipId: ids[index]!.id, flip }] : [],
    )
    if (concerned.length > 0 && (await insertDeliveries(db, concerned, now))) alerts = true
  }
  return alerts
}

async function insertDeliveries(db: Db, flips: readonly StoredFlip[], now: number): Promise<boolean> {
  const incidents = await storeIncidents(db, flips)
  const checkIds = [...new Set(flips.map(flip => flip.checkId))]
  const targets = enabledByCheck(await lockLinks(db, checkIds))
  const owed = flips.flatMap(flip =>
    (targets.get(flip.checkId) ?? []).map(target => ({
      ...flip,
      ...target,
      incidentId: incidents.get(flip.flipId) ?? null,
    })),
  )
  await addDeliveries(db, owed, now)
  return owed.length > 0
}

/**
 * The links of checks. If several transactions can write at once, the channels and groups are locked: one that is
 * enabled or changed at the same time either counts here, or waits and then sees these flips. See `lockToChange`.
 */
async function lockLinks(db: Db, checkIds: number[]): Promise<Link[]> {
  if (!db.dialect.hasConcurrentWrites) return await linksOf(db, checkIds)
  for (;;) {
    const locked = await lockChannelsOf(db, checkIds)
    const links = await linksOf(db, checkIds)
    // A channel that became a member of a group during the wait is locked too.
    if (links.every(({ channelId }) => locked.has(channelId))) return links
  }
}

async function lockChannelsOf(db: Db, checkIds: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM channels WHERE id IN (
      SELECT unnest(ARRAY[cc.channel_id, gm.member_id])
      FROM check_channels cc LEFT JOIN group_members gm ON gm.group_id = cc.channel_id
      WHERE cc.check_id IN (${sql.join(checkIds)})
    ) ORDER BY id FOR KEY SHARE`.execute(db.sql)
  return new Set(rows.map(({ id }) => id))
}

/** The number of channels that alerts of checks may go to, by the checks' IDs. */
export async function countTargets(db: Db, checkIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await targetCounts(
    db,
    {},
    checkIds.map(id => ({ id })),
  )
  return new Map(rows.map(({ checkId, targets }) => [checkId, Number(targets)]))
}

const targetCounts = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql
    .selectFrom('check_channels as cc')
    .leftJoin('group_members as gm', 'gm.group_id', 'cc.channel_id')
    .select(eb => ['cc.check_id as checkId', eb.fn.countAll<number | string>().as('targets')])
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    )
    .groupBy('cc.check_id'),
)

interface Target {
  channelId: number
  /** The group that it is reached through, or null. */
  groupId: number | null
}

interface Link extends Target {
  checkId: number
  /** 1 if the channel, or the group, is disabled. */
  disabled: number
  groupDisabled: number
}

/** The channels that checks are linked to, with groups expanded to their members. */
async function linksOf(db: Db, checkIds: number[]): Promise<Link[]> {
  return await db.sql
    .selectFrom('check_channels as cc')
    .innerJoin('channels as linked', 'linked.id', 'cc.channel_id')
    .leftJoin('group_members as gm', 'gm.group_id', 'linked.id')
    .innerJoin('channels as target', join =>
      join.on('target.id', '=', sql<number>`coalesce(gm.member_id, linked.id)`),
    )
    .select(['cc.check_id as checkId', 'target.id as channelId', 'gm.group_id as groupId'])
    .select(['target.disabled', 'linked.disabled as groupDisabled'])
    .where('cc.check_id', 'in', checkIds)
    // A channel linked both directly and through a group counts as linked directly.
    .orderBy(sql`coalesce(gm.group_id, 0)`)
    .execute()
}

/** The enabled channels of each check, each once. */
function enabledByCheck(links: readonly Link[]): Map<number, Target[]> {
  const channels = new Map<number, Map<number, Target>>()
  for (const { checkId, channelId, groupId, disabled, groupDisabled } of links) {
    if (disabled === 1 || groupDisabled === 1) continue
    const ofCheck = channels.get(checkId) ?? new Map()
    channels.set(checkId, ofCheck)
    if (!ofCheck.has(channelId)) ofCheck.set(channelId, { channelId, groupId })
  }
  return new Map([...channels].map(([checkId, ofCheck]) => [checkId, [...ofCheck.values()]]))
}
