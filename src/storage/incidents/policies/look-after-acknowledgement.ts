/** What acknowledgements change of the steps and repeats of incidents. */
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import type { Db } from '../../db.js'
import { toRow } from './begin-policies.js'
import { lookNow, lookOnlyAt, saveProgress } from './progress-rows.js'

/**
 * Called when incidents, which are locked, were acknowledged (`until` null: without an end), or given back (`ack` null): their
 * policies are looked at when it ends. Then one repeat is owed, also without a policy: rows for the check's channels ask
 * for it.
 */
export async function lookAfterAcknowledgement(
  db: Db,
  incidentIds: readonly number[],
  { ack, now }: { ack: { until: number | null } | null; now: number },
): Promise<void> {
  if (ack === null) await lookNow(db, incidentIds, now)
  else await lookOnlyAt(db, incidentIds, ack.until)
  const without = await db.sql
    .selectFrom('incidents as i')
    .select(['i.id', 'i.project_id as projectId', 'i.check_id as checkId'])
    .where('i.id', 'in', incidentIds)
    .where('i.closed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('incident_channels as ic')
            .select('ic.channel_id')
            .whereRef('ic.incident_id', '=', 'i.id'),
        ),
      ),
    )
    .execute()
  if (without.length === 0) return
  const linked = channelsByCheck(
    await linksOf(
      db,
      without.map(({ checkId }) => checkId),
    ),
  )
  const progress = { clockMs: 0, clockAt: now, steps: 1, repeats: 0 }
  const rows = without.flatMap(({ id, projectId, checkId }) =>
    (linked.get(checkId) ?? []).map(({ channelId }) =>
      toRow({ id, projectId, checkId, channelId, isTarget: false, progress, lookAt: ack?.until ?? null }),
    ),
  )
  await saveProgress(db, rows)
}
