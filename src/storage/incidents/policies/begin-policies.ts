/** What policies add to the flips that open and close incidents. Nothing is read or written if there is none. */
import { firstLook } from '../../../core/incidents/escalation.js'
import { REOPEN_MS } from '../../../core/incidents/incident.js'
import { NO_POLICY, type PolicyRules } from '../../../core/incidents/policy.js'
import type { Db } from '../../db.js'
import { type LinkedChannel, policyChannels } from './policy-channels.js'
import { lookOnlyAt, type ProgressRow, saveProgress } from './progress-rows.js'
import { namesIn, type StepChannel, stepChannels } from './step-channels.js'

/** An incident as a flip leaves it. */
export interface FlipIncident {
  id: number
  projectId: number
  checkId: number
  isOpen: boolean
  /** Its policy; null if it does what is done without one. */
  policy: PolicyRules | null
  /** Whether rows of `incident_channels` are about it. */
  escalates: boolean
}

/** The channels of incidents with policies beside those that are linked to their checks. */
export interface Escalating {
  named: StepChannel[]
  /** Those that steps have reached, by the incident's ID. */
  reached: Map<number, LinkedChannel[]>
}

/** Null if no incident has a policy. */
export async function escalatingOf(db: Db, incidents: Iterable<FlipIncident>): Promise<Escalating | null> {
  const all = [...incidents]
  const policies = new Set(all.flatMap(({ policy }) => policy ?? []))
  const escalating = all.filter(({ escalates }) => escalates).map(({ id }) => id)
  if (policies.size === 0 && escalating.length === 0) return null
  const names = namesIn(policies)
  const named = names.length > 0 ? await stepChannels(db, names) : []
  return { named, reached: escalating.length > 0 ? await reachedBy(db, escalating) : new Map() }
}

/** The channels that steps of these incidents have reached, by the incident's ID. */
export async function reachedBy(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, LinkedChannel[]>> {
  const rows = await db.sql
    .selectFrom('incident_channels as ic')
    .innerJoin('channels as c', 'c.id', 'ic.channel_id')
    .select(['ic.incident_id', 'ic.channel_id as channelId', 'c.disabled'])
    .where('ic.incident_id', 'in', incidentIds)
    .where('ic.is_target', '=', 1)
    .execute()
  const reached = new Map<number, LinkedChannel[]>(incidentIds.map(id => [id, []]))
  for (const { incident_id, channelId, disabled } of rows) {
    reached.get(incident_id)!.push({ channelId, groupId: null, isDisabled: disabled === 1 })
  }
  return reached
}

/** The IDs of these channels. */
export function channelIdsOf({ named, reached }: Escalating): number[] {
  return [...named, ...[...reached.values()].flat()].map(({ channelId }) => channelId)
}

/** The channels to which a flip is sent, whether they are disabled or not. */
export function flipChannels(
  { id, projectId, policy }: FlipIncident,
  isDown: boolean,
  links: readonly LinkedChannel[],
  { named, reached }: Escalating,
): LinkedChannel[] {
  if (!isDown) return onePerChannel([...links, ...(reached.get(id) ?? [])])
  if (policy === null) return [...links]
  const own = named.filter(channel => channel.projectId === projectId)
  return policyChannels(policy, links, own).filter(({ concerns }) => firstLook(policy, concerns, 0).isAlerted)
}

function onePerChannel(channels: readonly LinkedChannel[]): LinkedChannel[] {
  return [...new Map(channels.toReversed().map(channel => [channel.channelId, channel])).values()]
}

/** Begins the policies of incidents that are open, anew if they were reopened, and ends those that are not. */
export async function beginPolicies(
  db: Db,
  incidents: Iterable<FlipIncident>,
  links: ReadonlyMap<number, readonly LinkedChannel[]>,
  { named }: Escalating,
  now: number,
): Promise<void> {
  const all = [...new Map([...incidents].map(incident => [incident.id, incident])).values()]
  const ended = all.filter(({ escalates, isOpen }) => escalates && !isOpen)
  // Before that, an incident that is closed may be reopened, and then begins anew.
  await lookOnlyAt(
    db,
    ended.map(({ id }) => id),
    now + REOPEN_MS,
  )
  const rows = all.flatMap(({ id, checkId, projectId, isOpen, escalates, ...incident }) => {
    // Its rows begin anew, also if its policy is gone since.
    const policy = incident.policy ?? (escalates ? NO_POLICY : null)
    if (!isOpen || policy === null) return []
    const own = named.filter(channel => channel.projectId === projectId)
    return policyChannels(policy, links.get(checkId) ?? [], own).map(({ channelId, concerns, isNamed }) => {
      const { progress, lookAt, isAlerted } = firstLook(policy, concerns, now)
      const isTarget = isAlerted && firstLook(policy, isNamed, now).isAlerted
      return { id, projectId, checkId, channelId, isTarget, progress, lookAt }
    })
  })
  await saveProgress(db, rows.map(toRow))
}

/** A row about a channel's progress. */
export function toRow(value: {
  id: number
  projectId: number
  checkId: number
  channelId: number
  isTarget: boolean
  progress: { clockMs: number; clockAt: number; steps: number; repeats: number }
  lookAt: number | null
}): ProgressRow {
  return {
    incident_id: value.id,
    check_id: value.checkId,
    channel_id: value.channelId,
    is_target: value.isTarget ? 1 : 0,
    reached: value.progress.steps > 0 ? 1 : 0,
    steps: value.progress.steps,
    repeats: value.progress.repeats,
    look_at: value.lookAt,
    clock_ms: value.progress.clockMs,
    clock_at: value.progress.clockAt,
    project_id: value.projectId,
  }
}
