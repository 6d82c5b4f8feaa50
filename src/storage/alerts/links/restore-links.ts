/** Restores links that were removed, as if they had never been. Decision 0126. */
import { chunks } from '../../chunks.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { latestIncident } from '../../incidents/latest-incident.js'
import { bringToTruth } from '../bring-to-truth.js'
import { endPostponement } from '../deliveries.js'
import { addMissed, LATE_MS, type RemovedLinks } from './add-missed.js'
import { correctReported } from './correct-reported.js'
import { oweAgain } from './owe-again.js'
import { isTarget } from './targets.js'

/** How many incidents are corrected at once. */
const AT_ONCE = 400

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
  const { checkIds, channelIds, removedAt } = removed
  await db.sql
    .deleteFrom('deliveries')
    .where('channel_id', 'in', channelIds)
    .where('check_id', 'in', checkIds)
    .where('closing', 'is not', null)
    // Not that of a link that had been removed, and added again, before.
    .where('created_at', '>=', removedAt)
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
  if (await addMissed(db, removed, now)) alerts = true
  for (const channelId of await enabledSince(db, removed)) {
    if (await bringToTruth(db, channelId, now, checkIds)) alerts = true
  }
  return alerts
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
