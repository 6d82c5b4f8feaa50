/** Stores flips and the deliveries that they cause, in the transaction that changes the status. */
import { sql } from 'kysely'
import { concernsIncident, type Flip } from '../../core/checks/flip.js'
import { addDeliveries, postpone } from '../alerts/deliveries.js'
import { channelsByCheck, type Link, linksOf } from '../channels/channel-links.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordFlips } from '../events/record-events.js'
import {
  beginPolicies,
  channelIdsOf,
  type Escalating,
  escalatingOf,
  type FlipIncident,
  flipChannels,
} from '../incidents/policies/begin-policies.js'
import { type StoredFlip, storeIncidents } from '../incidents/store-incidents.js'
import { givenIds } from '../new-id.js'

export interface NewFlip {
  checkId: number
  flip: Flip
  /** Of the failure signal that caused it, if it had one. */
  exitStatus?: number | null
}

/**
 * Stores flips and, for those that open or close an incident, the incident and one delivery per enabled channel of the
 * check, with groups expanded to their members. `dueAt`: when these and what else waits about the checks are due, for a
 * change that can be undone until then. Returns whether a delivery was added.
 */
export async function insertFlips(
  db: Db,
  flips: readonly NewFlip[],
  now: number,
  dueAt = now,
): Promise<boolean> {
  let alerts = false
  for (const some of chunks(flips, Math.floor(db.dialect.maxParameters / 11))) {
    const given = await givenIds(db, 'flips', some.length)
    const rows = await db.sql
      .insertInto('flips')
      .values(
        some.map(({ checkId, flip }, index) => ({
          ...(given && { id: given[index]! }),
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
    const ids = given ?? rows.map(({ id }) => id)
    await recordFlips(db, some)
    const concerned = some.flatMap(({ checkId, flip, exitStatus = null }, index) =>
      concernsIncident(flip) ? [{ checkId, flipId: ids[index]!, flip, exitStatus }] : [],
    )
    if (concerned.length > 0 && (await insertDeliveries(db, concerned, now, dueAt))) alerts = true
  }
  return alerts
}

async function insertDeliveries(
  db: Db,
  flips: readonly StoredFlip[],
  now: number,
  dueAt: number,
): Promise<boolean> {
  const incidents = await storeIncidents(db, flips, dueAt > now ? dueAt : null)
  const checkIds = [...new Set(flips.map(flip => flip.checkId))]
  const { links, escalating } = await lockTargets(db, checkIds, [...incidents.values()])
  const linked = channelsByCheck(links)
  const owed = flips.flatMap(flip => {
    const own = linked.get(flip.checkId) ?? []
    const incident = incidents.get(flip.flipId)
    const isDown = flip.flip.newStatus === 'down'
    const targets = incident && escalating ? flipChannels(incident, isDown, own, escalating) : own
    return targets.flatMap(({ isDisabled, channelId, groupId }) =>
      isDisabled ? [] : [{ ...flip, channelId, groupId, incidentId: incident?.id ?? null }],
    )
  })
  await addDeliveries(db, owed, now, dueAt)
  if (dueAt > now) await postpone(db, { checkIds }, now, dueAt)
  if (escalating) await beginPolicies(db, incidents.values(), linked, escalating, now)
  return owed.length > 0
}

interface Targets {
  links: Link[]
  /** What policies add; null nearly always. */
  escalating: Escalating | null
}

/**
 * The links of checks, and the channels of their policies. If several transactions can write at once, the channels and groups are locked: one that is
 * enabled or changed at the same time either counts here, or waits and then sees these flips. See `lockToChange`.
 */
async function lockTargets(db: Db, checkIds: number[], incidents: readonly FlipIncident[]): Promise<Targets> {
  let escalating = await escalatingOf(db, incidents)
  if (!db.dialect.hasConcurrentWrites) return { links: await linksOf(db, checkIds), escalating }
  for (;;) {
    const locked = await lockChannelsOf(db, checkIds, escalating ? channelIdsOf(escalating) : [])
    const links = await linksOf(db, checkIds)
    if (escalating) escalating = await escalatingOf(db, incidents)
    const ids = links.map(({ channelId }) => channelId)
    // A channel that became a member of a group during the wait is locked too.
    if ([...ids, ...(escalating ? channelIdsOf(escalating) : [])].every(id => locked.has(id))) {
      return { links, escalating }
    }
  }
}

async function lockChannelsOf(db: Db, checkIds: number[], others: number[]): Promise<Set<number>> {
  const further = others.length > 0 ? sql`OR id IN (${sql.join(others)})` : sql``
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM channels WHERE id IN (
      SELECT unnest(ARRAY[cc.channel_id, gm.member_id])
      FROM check_channels cc LEFT JOIN group_members gm ON gm.group_id = cc.channel_id
      WHERE cc.check_id IN (${sql.join(checkIds)})
    ) ${further} ORDER BY id FOR KEY SHARE`.execute(db.sql)
  return new Set(rows.map(({ id }) => id))
}
