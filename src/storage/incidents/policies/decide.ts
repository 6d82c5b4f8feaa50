/** Decides for the channels of open incidents which steps and repeats are due. */
import { type Escalation, escalate } from '../../../core/incidents/escalation.js'
import type { NewDelivery } from '../../alerts/deliveries.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import type { Db } from '../../db.js'
import { alertedBy } from './alerted-by.js'
import { toRow } from './begin-policies.js'
import { type HeldTime, heldTimes } from './held-spans.js'
import type { LookedAt } from './looked-at.js'
import { type LinkedChannel, type PolicyChannel, policyChannels } from './policy-channels.js'
import { type ProgressRow, toProgress } from './progress-rows.js'
import { namesIn, type StepChannel, stepChannels } from './step-channels.js'

export interface Decided {
  /** The channel's progress after it. */
  row: ProgressRow
  /** What asks that the channel is sent the incident; null if nothing does, or the channel is disabled. */
  delivery: NewDelivery | null
}

/** Looks at each row of these incidents, and at the channels that were linked to their checks since. */
export async function decide(db: Db, incidents: readonly LookedAt[], now: number): Promise<Decided[]> {
  const checkIds = [...new Set(incidents.map(({ checkId }) => checkId))]
  const names = namesIn(incidents.map(({ policy }) => policy))
  const { linked, named } = await lockedChannels(db, checkIds, names)
  const channelsOf = new Map(
    incidents.map(({ id, checkId, projectId, policy }) => {
      const own = named.filter(channel => channel.projectId === projectId)
      return [id, policyChannels(policy, linked.get(checkId) ?? [], own)]
    }),
  )
  const complete = await withNewRows(db, incidents, channelsOf)
  const times = await heldTimes(db, complete, now)
  return complete.flatMap(incident => {
    const channels = new Map(channelsOf.get(incident.id)!.map(channel => [channel.channelId, channel]))
    return incident.rows.map(row =>
      decideOne(incident, row, times.get(row)!, channels.get(row.channel_id), now),
    )
  })
}

interface Channels {
  linked: Map<number, LinkedChannel[]>
  named: StepChannel[]
}

/** Locked as flips lock them: a channel that is enabled now counts here, or is caught up after it. */
async function lockedChannels(
  db: Db,
  checkIds: readonly number[],
  names: readonly string[],
): Promise<Channels> {
  const channels = async (): Promise<Channels> => ({
    linked: channelsByCheck(await linksOf(db, checkIds)),
    named: names.length > 0 ? await stepChannels(db, names) : [],
  })
  if (!db.dialect.hasConcurrentWrites) return await channels()
  const locked = new Set<number>()
  for (;;) {
    const found = await channels()
    const ids = [...[...found.linked.values()].flat(), ...found.named].map(({ channelId }) => channelId)
    if (ids.every(id => locked.has(id))) return found
    const rows = await db.sql
      .selectFrom('channels')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('id')
      .forKeyShare()
      .execute()
    for (const { id } of rows) locked.add(id)
  }
}

/** With the channels that were linked to the check, or named by the policy, since: their clock shows what that of another does. */
async function withNewRows(
  db: Db,
  incidents: readonly LookedAt[],
  channelsOf: ReadonlyMap<number, readonly PolicyChannel[]>,
): Promise<LookedAt[]> {
  const ids = incidents.map(({ id }) => id)
  const known = await db.sql
    .selectFrom('incident_channels')
    .select(['incident_id', 'channel_id'])
    .where('incident_id', 'in', ids)
    .execute()
  const pairs = new Set(known.map(row => `${row.incident_id} ${row.channel_id}`))
  const missing = (id: number) =>
    channelsOf.get(id)!.filter(({ channelId }) => !pairs.has(`${id} ${channelId}`))
  const behind = ids.filter(id => missing(id).length > 0)
  if (behind.length === 0) return [...incidents]
  const alerted = await alertedBy(db, behind)
  return incidents.map(incident => {
    const like = { ...incident.rows[0]!, is_target: 0 as const, repeats: 0 }
    const added = missing(incident.id).map(({ channelId }): ProgressRow => {
      const reached = alerted.get(incident.id)!.has(channelId) ? 1 : 0
      return { ...like, channel_id: channelId, reached, steps: reached }
    })
    return { ...incident, rows: [...incident.rows, ...added] }
  })
}

function decideOne(
  { id, projectId, checkId, flipId, policy, acknowledged }: LookedAt,
  row: ProgressRow,
  time: HeldTime,
  channel: PolicyChannel | undefined,
  now: number,
): Decided {
  const concerns = channel?.concerns ?? policy.steps.map(() => false)
  const look = { progress: toProgress(row), concerns, ...time, acknowledged }
  const escalation: Escalation = escalate(policy, look, now)
  const { add } = escalation
  const { clockMs } = escalation.progress
  const isNamed = policy.steps.some(({ after }, index) => after * 1000 <= clockMs && channel?.isNamed[index])
  const after = toRow({
    ...escalation,
    id,
    projectId,
    checkId,
    channelId: row.channel_id,
    isTarget: row.is_target === 1 || (add !== null && isNamed),
  })
  const sends = add !== null && channel !== undefined && !channel.isDisabled
  const delivery = { checkId, flipId, incidentId: id, channelId: row.channel_id }
  return {
    row: after,
    delivery: sends ? { ...delivery, groupId: channel.groupId, again: add } : null,
  }
}
