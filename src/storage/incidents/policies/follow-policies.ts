/** Makes open incidents follow the policies that apply to their checks now. Decision 0115. */
import type { ExpressionBuilder } from 'kysely'
import { isPlainPolicy } from '../../../core/incidents/escalation.js'
import { NO_POLICY } from '../../../core/incidents/policy.js'
import { keepFollowUp } from '../../alerts/follow-ups/keep.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import { MOST_DELIVERIES } from '../../channels/count-targets.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import type { Tables } from '../../tables.js'
import { alertedBy } from './alerted-by.js'
import { toRow } from './begin-policies.js'
import { policyChannels } from './policy-channels.js'
import { policyApplies, rulesOf } from './policy-rows.js'
import { hasProgress, lookNow, saveProgress } from './progress-rows.js'
import { namesIn, stepChannels } from './step-channels.js'

const SLICE = 400

/** How many incidents of a project a follow-up looks at together: each may have as many rows as the project has channels. */
const NEXT_AT_ONCE = 8

/** The incidents of these checks, or the first ones after an incident, by ID. */
type Which = { checkIds: readonly number[] } | { after: number; limit: number }

/**
 * Called after policies of a project, or of some of its checks, were changed: its open incidents are looked at now, and those
 * whose pause can be undone follow them when it is. Also those that have no policy, because they may have had one. Where that is
 * much for a project, a follow-up does it.
 */
export async function followPolicies(
  db: Db,
  { projectId, checkIds }: { projectId: number; checkIds?: readonly number[] },
  now: number,
): Promise<void> {
  if (checkIds) await followThese(db, projectId, await openIncidents(db, projectId, { checkIds }, now), now)
  else {
    const limit = Math.max(1, Math.floor(MOST_DELIVERIES / (await channelCount(db, projectId))))
    const open = await openIncidents(db, projectId, { after: 0, limit: limit + 1 }, now)
    if (open.length > limit) await keepFollowUp(db, { projectId, kind: 'policies', subject: projectId })
    else await followThese(db, projectId, open, now)
  }
}

/**
 * Lets the next open incidents of a project after `after`, by ID, follow its policies. Returns after which to go on; null: these were the
 * last.
 */
export async function followNext(
  db: Db,
  projectId: number,
  after: number,
  now: number,
): Promise<number | null> {
  const open = await openIncidents(db, projectId, { after, limit: NEXT_AT_ONCE }, now)
  await followThese(db, projectId, open, now)
  return open.length < NEXT_AT_ONCE ? null : open.at(-1)!.id
}

async function channelCount(db: Db, projectId: number): Promise<number> {
  const { n } = await db.sql
    .selectFrom('channels')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return Math.max(1, Number(n))
}

type Open = Awaited<ReturnType<typeof openIncidents>>[number]

async function openIncidents(db: Db, projectId: number, which: Which, now: number) {
  const isOpen = (eb: ExpressionBuilder<{ i: Tables['incidents'] }, 'i'>) =>
    eb.or([eb('i.closed_at', 'is', null), eb('i.release_at', '>', now)])
  const first = ({ after, limit }: Exclude<Which, { checkIds: unknown }>) =>
    db.sql
      .selectFrom('incidents as i')
      .select('i.check_id')
      .where('i.project_id', '=', projectId)
      .where('i.id', '>', after)
      .where(isOpen)
      .orderBy('i.id')
      .limit(limit)
  const query = gathered(db, ['check_details'], 'checkIds' in which ? which.checkIds : first(which))
    .selectFrom('incidents as i')
    .innerJoin('check_details as d', 'd.check_id', 'i.check_id')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .leftJoin('policies as pol', join => join.on(policyApplies))
    .select(['i.id', 'i.check_id as checkId', 'i.down_at as downAt'])
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(hasProgress('i.id').as('escalates'))
    .where('i.project_id', '=', projectId)
    .where(isOpen)
    .orderBy('i.id')
  if ('checkIds' in which) return await query.where('i.check_id', 'in', which.checkIds).execute()
  return await query.where('i.id', '>', which.after).limit(which.limit).execute()
}

async function followThese(db: Db, projectId: number, open: readonly Open[], now: number): Promise<void> {
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
