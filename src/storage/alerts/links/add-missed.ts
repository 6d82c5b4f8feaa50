/** Adds what would have been sent about changes while links were removed that are restored. Decision 0149. */
import { sql } from 'kysely'
import { firstLook, isPlainPolicy } from '../../../core/incidents/escalation.js'
import { NO_POLICY, type PolicyRules } from '../../../core/incidents/policy.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import type { Db } from '../../db.js'
import { gathered, gatheredFirst } from '../../gathered.js'
import { latestIncident } from '../../incidents/latest-incident.js'
import { toRow } from '../../incidents/policies/begin-policies.js'
import { type LinkedChannel, policyChannels } from '../../incidents/policies/policy-channels.js'
import { policyApplies, rulesOf } from '../../incidents/policies/policy-rows.js'
import { hasProgress, type ProgressRow, saveProgress } from '../../incidents/policies/progress-rows.js'
import { namesIn, type StepChannel, stepChannels } from '../../incidents/policies/step-channels.js'
import { addDeliveries, type NewDelivery } from '../deliveries.js'

/** How long (ms) before a link was removed a change may have happened that is stored after that. */
export const LATE_MS = 5_000

/** Links of some checks to some channels, with members of groups, that were removed at `removedAt` (ms). */
export interface RemovedLinks {
  checkIds: readonly number[]
  channelIds: readonly number[]
  removedAt: number
}

interface Missed {
  checkId: number
  channelId: number
  flipId: number
  at: number
  isDown: number
  incidentId: number | null
}

/**
 * Adds the deliveries that changes of the checks since the links were removed would have got, and how far policies would have got.
 * Returns whether there is a delivery.
 */
export async function addMissed(db: Db, removed: RemovedLinks, now: number): Promise<boolean> {
  const missed = await changesSince(db, removed)
  if (missed.length === 0) return false
  const checkIds = [...new Set(missed.map(({ checkId }) => checkId))]
  const links = channelsByCheck(await linksOf(db, checkIds))
  const policies = await policiesOf(db, missed)
  const named = await stepChannels(db, namesIn([...policies.values()].map(({ policy }) => policy)))
  const deliveries: NewDelivery[] = []
  const rows: ProgressRow[] = []
  for (const { checkId, channelId, flipId, at, isDown, incidentId } of missed) {
    const link = links.get(checkId)?.find(one => one.channelId === channelId)
    if (!link) continue
    const policy = isDown === 1 && incidentId !== null ? policies.get(incidentId) : undefined
    const begun = policy && begin(policy, link, named, at)
    if (begun && policy.opensAt === flipId) {
      const { projectId } = policy
      rows.push(toRow({ id: incidentId!, projectId, checkId, channelId, ...begun }))
    }
    const isAlerted = begun?.isAlerted ?? policy === undefined
    if (link.isDisabled || !isAlerted) continue
    deliveries.push({ checkId, channelId, flipId, incidentId, groupId: link.groupId })
  }
  await saveProgress(db, rows)
  await addDeliveries(db, deliveries, now)
  return deliveries.length > 0
}

/** How far a policy has got for a channel when its incident opens; undefined if it never alerts the channel. */
function begin(
  { policy, projectId }: PolicyOfIncident,
  link: LinkedChannel,
  named: readonly StepChannel[],
  at: number,
) {
  const own = named.filter(channel => channel.projectId === projectId)
  const channel = policyChannels(policy, [link], own).find(({ channelId }) => channelId === link.channelId)
  if (!channel) return undefined
  const first = firstLook(policy, channel.concerns, at)
  return { ...first, isTarget: first.isAlerted && firstLook(policy, channel.isNamed, at).isAlerted }
}

interface PolicyOfIncident {
  policy: PolicyRules
  projectId: number
  /** The flip that opened the incident, or the last that reopened it; null if it is closed. */
  opensAt: number | null
}

/** The policies of those incidents that have one, or rows about its steps. */
async function policiesOf(db: Db, missed: readonly Missed[]): Promise<Map<number, PolicyOfIncident>> {
  const checkIds = missed.map(({ checkId }) => checkId)
  const rows = await gathered(db, ['check_details'], checkIds)
    .selectFrom('incidents as i')
    .innerJoin('check_details as d', 'd.check_id', 'i.check_id')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .leftJoin('policies as pol', join => join.on(policyApplies))
    .select(['i.id', 'i.project_id as projectId', 'i.flip_id as flipId', 'i.closed_at as closedAt'])
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(hasProgress('i.id').as('escalates'))
    .where('i.id', 'in', [...new Set(missed.flatMap(({ incidentId }) => incidentId ?? []))])
    .execute()
  return new Map(
    rows.flatMap(({ id, escalates, projectId, flipId, closedAt, ...row }) => {
      const policy = rulesOf(row) ?? NO_POLICY
      return escalates === 1 || !isPlainPolicy(policy)
        ? [[id, { policy, projectId, opensAt: closedAt === null ? flipId : null }]]
        : []
    }),
  )
}

/** The changes of the checks since the links were removed for which a linked channel has no delivery. */
async function changesSince(db: Db, { checkIds, channelIds, removedAt }: RemovedLinks): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    ${gatheredFirst(db, ['flips'], checkIds)}
    SELECT f.check_id AS "checkId", ch.id AS "channelId", f.id AS "flipId", f.created_at AS at,
      CASE WHEN f.new_status = 'down' THEN 1 ELSE 0 END AS "isDown", ${latestIncident('f.check_id')} AS "incidentId"
    FROM flips f JOIN channels ch ON ch.id IN (${sql.join(channelIds)})
    WHERE f.check_id IN (${sql.join(checkIds)}) AND f.created_at >= ${removedAt - LATE_MS}
      AND (f.new_status = 'down' OR f.old_status = 'down')
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.channel_id = ch.id AND d.check_id = f.check_id AND d.flip_id = f.id
      ) AND NOT EXISTS (
        SELECT 1 FROM notifications n WHERE n.channel_id = ch.id AND n.check_id = f.check_id AND n.flip_id = f.id
      )
    ORDER BY f.id`.execute(db.sql)
  return rows
}
