/** Restores links that were removed, as if they had never been. Decision 0126. */
import { sql } from 'kysely'
import { linksOf } from '../../channels/channel-links.js'
import { chunks } from '../../chunks.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { latestIncident } from '../../incidents/latest-incident.js'
import { bringToTruth } from '../bring-to-truth.js'
import { addDeliveries, endPostponement } from '../deliveries.js'
import { correctReported } from './correct-reported.js'
import { oweAgain } from './owe-again.js'
import { isTarget } from './targets.js'

/** How long (ms) before a link was removed a change may have happened that is stored after that. */
const LATE_MS = 5_000

/** How many incidents are corrected at once. */
const AT_ONCE = 400

/** Links of some checks to some channels, with members of groups, that were removed at `removedAt` (ms). */
export interface RemovedLinks {
  checkIds: readonly number[]
  channelIds: readonly number[]
  removedAt: number
}

/**
 * Called after these links were added again. What waited goes on when it was due before, what ends the links is not sent, and what
 * happened in the meantime is sent. If a channel was sent the end all the same, it is alerted again. Returns whether deliveries are due.
 */
export async function restoreLinks(db: Db, removed: RemovedLinks, now: number): Promise<boolean> {
  let alerts = false
  for (const checkIds of chunks(removed.checkIds, Math.floor(db.dialect.maxParameters / 2))) {
    for (const channelIds of chunks(removed.channelIds, Math.floor(db.dialect.maxParameters / 3))) {
      if (await restoreSome(db, { ...removed, checkIds, channelIds }, now)) alerts = true
    }
  }
  return alerts
}

async function restoreSome(db: Db, removed: RemovedLinks, now: number): Promise<boolean> {
  const { checkIds, channelIds } = removed
  await db.sql
    .deleteFrom('deliveries')
    .where('channel_id', 'in', channelIds)
    .where('check_id', 'in', checkIds)
    .where('closing', 'is not', null)
    .where('attempts', '=', 0)
    .where(unclaimed(now))
    // Its group may have been disabled since.
    .where(isTarget('deliveries.check_id', 'deliveries.channel_id'))
    .execute()
  const goesOn = await endPostponement(db, { checkIds, channelIds }, now)
  let alerts = (await oweAgain(db, checkIds, now)) || goesOn
  for (const incidents of chunks(await incidentsSince(db, removed), AT_ONCE)) {
    const corrected = incidents.map(incident => ({ ...incident, since: removed.removedAt }))
    if (await correctReported(db, corrected, now, channelIds)) alerts = true
  }
  const missed = await changesSince(db, removed)
  await addDeliveries(db, missed, now)
  for (const channelId of await enabledSince(db, removed)) {
    if (await bringToTruth(db, channelId, now, checkIds)) alerts = true
  }
  return alerts || missed.length > 0
}

/** Those of the channels and groups that were enabled after their links had been removed, so that they were not sent what is true of the checks. */
async function enabledSince(db: Db, { channelIds, removedAt }: RemovedLinks): Promise<number[]> {
  const rows = await db.sql
    .selectFrom('channels')
    .select('id')
    .where('id', 'in', channelIds)
    .where('recipient_since', '>=', removedAt)
    .where('disabled', '=', 0)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The latest incidents of the checks that are open, or ended since. */
async function incidentsSince(db: Db, { checkIds, removedAt }: RemovedLinks) {
  const rows = await db.sql
    .selectFrom('incidents')
    .select(['id', 'check_id as checkId', 'flip_id as flipId', 'closed_at as closedAt'])
    .where('id', '=', latestIncident('incidents.check_id'))
    .where('check_id', 'in', checkIds)
    .where(eb => eb.or([eb('closed_at', 'is', null), eb('closed_at', '>=', removedAt - LATE_MS)]))
    .orderBy('id')
    .execute()
  return rows.map(({ closedAt, ...row }) => ({ ...row, isOpen: closedAt === null }))
}

interface Missed {
  checkId: number
  channelId: number
  flipId: number
  incidentId: number | null
}

/**
 * The changes of the checks since the links were removed for which a linked channel has no delivery. Without down alerts of
 * incidents with a policy, which looks at channels that are linked later.
 */
async function changesSince(db: Db, { checkIds, channelIds, removedAt }: RemovedLinks) {
  const { rows } = await sql<Missed>`
    SELECT f.check_id AS "checkId", ch.id AS "channelId", f.id AS "flipId", ${latestIncident('f.check_id')} AS "incidentId"
    FROM flips f JOIN channels ch ON ch.id IN (${sql.join(channelIds)})
    WHERE f.check_id IN (${sql.join(checkIds)}) AND f.created_at >= ${removedAt - LATE_MS}
      AND (f.new_status = 'down' OR f.old_status = 'down')
      AND NOT (f.new_status = 'down' AND EXISTS (
        SELECT 1 FROM incident_channels ic WHERE ic.incident_id = ${latestIncident('f.check_id')}
      ))
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.channel_id = ch.id AND d.check_id = f.check_id AND d.flip_id = f.id
      ) AND NOT EXISTS (
        SELECT 1 FROM notifications n WHERE n.channel_id = ch.id AND n.check_id = f.check_id AND n.flip_id = f.id
      )
    ORDER BY f.id`.execute(db.sql)
  if (rows.length === 0) return []
  const links = await linksOf(db, [...new Set(rows.map(({ checkId }) => checkId))])
  return rows.flatMap(missed => {
    const link = links.find(
      ({ checkId, channelId, disabled, groupDisabled }) =>
        checkId === missed.checkId && channelId === missed.channelId && disabled + groupDisabled === 0,
    )
    return link ? [{ ...missed, groupId: link.groupId }] : []
  })
}
