/** Makes open incidents follow the policies that apply to their checks now. Decision 0115. */
import { sql } from 'kysely'
import { isPlainPolicy } from '../../../core/incidents/escalation.js'
import { NO_POLICY } from '../../../core/incidents/policy.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { alertedBy } from './alerted-by.js'
import { toRow } from './begin-policies.js'
import { policyChannels } from './policy-channels.js'
import { policyApplies, rulesOf } from './policy-rows.js'
import { hasProgress, lookNow, saveProgress } from './progress-rows.js'
import { namesIn, stepChannels } from './step-channels.js'

const SLICE = 400

/**
 * Called after policies of a project, or of some of its checks, were changed: its open incidents are looked at now, and those
 * whose pause can be undone follow them when it is. Also those that have no policy, because they may have had one.
 */
export async function followPolicies(
  db: Db,
  { projectId, checkIds }: { projectId: number; checkIds?: readonly number[] },
  now: number,
): Promise<void> {
  const checks = checkIds ?? sql`(SELECT i.check_id FROM incidents i WHERE i.project_id = ${projectId})`
  const open = await gathered(db, ['check_details'], checks)
    .selectFrom('incidents as i')
    .innerJoin('check_details as d', 'd.check_id', 'i.check_id')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .leftJoin('policies as pol', join => join.on(policyApplies))
    .select(['i.id', 'i.check_id as checkId', 'i.down_at as downAt'])
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(hasProgress('i.id').as('escalates'))
    .where('i.project_id', '=', projectId)
    .$if(checkIds !== undefined, query => query.where('i.check_id', 'in', checkIds!))
    .where(eb => eb.or([eb('i.closed_at', 'is', null), eb('i.release_at', '>', now)]))
    .orderBy('i.id')
    .execute()
  const escalating = open.filter(({ escalates }) => escalates === 1).map(({ id }) => id)
  await lookNow(db, escalating, now)
  const others = open.flatMap(({ escalates, ...row }) =>
    escalates === 1 ? [] : [{ ...row, policy: rulesOf(row) ?? NO_POLICY }],
  )
  for (const some of chunks(others, SLICE)) await beginLate(db, projectId, some, now)
}

/** Begins the policies of incidents without rows, at the time at which their checks went down. */
async function beginLate(
  db: Db,
  projectId: number,
  incidents: readonly { id: number; checkId: number; downAt: number; policy: typeof NO_POLICY }[],
  now: number,
): Promise<void> {
  const checkIds = incidents.map(({ checkId }) => checkId)
  const links = channelsByCheck(await linksOf(db, checkIds))
  const named = await stepChannels(db, namesIn(incidents.map(({ policy }) => policy)))
  const own = named.filter(channel => channel.projectId === projectId)
  const alerted = await alertedBy(
    db,
    incidents.map(({ id }) => id),
  )
  const rows = incidents.flatMap(({ id, checkId, downAt, policy }) => {
    const channels = policyChannels(policy, links.get(checkId) ?? [], own)
    const begun = channels.map(({ channelId }) => {
      const steps = alerted.get(id)!.has(channelId) ? 1 : 0
      const progress = { clockMs: 0, clockAt: downAt, steps, repeats: 0 }
      return toRow({ id, projectId, checkId, channelId, isTarget: false, progress, lookAt: now })
    })
    return isPlainPolicy(policy) && begun.every(({ steps }) => steps > 0) ? [] : begun
  })
  await saveProgress(db, rows)
}
