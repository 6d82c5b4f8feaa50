/** Decides for the channels of open incidents which steps and repeats are due. */
import { type Escalation, escalate } from '../../../core/incidents/escalation.js'
import type { NewDelivery } from '../../alerts/deliveries.js'
import { channelsByCheck, linksOf } from '../../checks/channel-links.js'
import type { Db } from '../../db.js'
import { alertedBy } from './alerted-by.js'
import { toRow } from './begin-policies.js'
import { heldSpans } from './held-spans.js'
import type { DueRow, LookedAt } from './looked-at.js'
import { type LinkedChannel, type PolicyChannel, policyChannels } from './policy-channels.js'
import type { ProgressRow } from './progress-rows.js'
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
  const decided: Decided[] = []
  for (const incident of incidents) {
    const own = named.filter(({ projectId }) => projectId === incident.projectId)
    const channels = policyChannels(incident.policy, linked.get(incident.checkId) ?? [], own)
    for (const row of [...incident.rows, ...(await newRows(db, incident, channels))]) {
      decided.push(await decideOne(db, incident, row, channels, now))
    }
  }
  return decided
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

/** The channels that were linked to the check, or named by the policy, since: their clock shows what that of another does. */
async function newRows(db: Db, incident: LookedAt, channels: readonly PolicyChannel[]): Promise<DueRow[]> {
  const known = await db.sql
    .selectFrom('incident_channels')
    .select('channel_id')
    .where('incident_id', '=', incident.id)
    .execute()
  const ids = new Set(known.map(row => row.channel_id))
  const like = { ...incident.rows[0]!, is_target: 0 as const, repeats: 0 }
  const missing = channels.filter(({ channelId }) => !ids.has(channelId))
  if (missing.length === 0) return []
  const alerted = await alertedBy(db, [incident.id])
  return missing.map(({ channelId: channel_id }) => {
    const reached = alerted.get(incident.id)?.has(channel_id) ? 1 : 0
    return { ...like, channel_id, reached, steps: reached }
  })
}

async function decideOne(
  db: Db,
  incident: LookedAt,
  row: DueRow,
  channels: readonly PolicyChannel[],
  now: number,
): Promise<Decided> {
  const { id, checkId, flipId, policy, acknowledged } = incident
  const channel = channels.find(({ channelId }) => channelId === row.channel_id)
  const progress = {
    clockMs: row.clock_ms,
    clockAt: row.clock_at,
    steps: row.steps,
    repeats: row.repeats,
  }
  const { held, heldUntil } = await heldFor(db, incident, row, now)
  const concerns = channel?.concerns ?? policy.steps.map(() => false)
  const look = { progress, concerns, held, heldUntil, acknowledged }
  const escalation: Escalation = escalate(policy, look, now)
  const { add } = escalation
  const { clockMs } = escalation.progress
  const isNamed = policy.steps.some(({ after }, index) => after * 1000 <= clockMs && channel?.isNamed[index])
  const after = toRow({
    ...escalation,
    id,
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

/** When the incident of a row was held since its clock was set. */
export function heldFor(db: Db, incident: LookedAt, row: DueRow, now: number) {
  const { checkId, projectId, downAt } = incident
  const check = { checkId, projectId, isDown: true, downAt, upAt: now }
  return heldSpans(db, { ...incident, check, channelId: row.channel_id }, row.clock_at, now)
}
