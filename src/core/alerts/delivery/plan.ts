/** Plans everything that waits for one channel. Pure: the claim carries it out. Decision 0102. */
import { withoutNeedlessAgain } from './again.js'
import type { Change } from './change.js'
import { afterFlapping, isFlapping } from './flapping.js'
import { RECHECK_MS } from './hold.js'
import { planParts } from './plan-messages.js'
import type { ChannelState, Part, Plan, WaitingCheck, WaitingNotice } from './plan-values.js'
import { reconcile } from './reconcile.js'
import { mayHaveArrived, waitsForLink } from './renew.js'
import { isTooLate } from './retry.js'
import { holdUntil, underHolds } from './under-holds.js'

/** How often a delivery to a channel of an unknown kind is planned again: a newer version may have been started. */
const ASK_AGAIN_MS = 900_000

/**
 * Plans at most `most` messages; the rest stays due. `combine`: everything that may be sent now joins a digest
 * that was already allowed.
 */
export function planChannel(
  channel: ChannelState,
  { checks, notices }: { checks: readonly WaitingCheck[]; notices: readonly WaitingNotice[] },
  { most, combine = false }: { most: number; combine?: boolean },
  now: number,
): Plan {
  const plan: Plan = {
    messages: [],
    holds: [],
    parked: [],
    drops: [],
    reported: [],
    stillFlapping: [],
    limitReached: null,
  }
  const isTooOld = ({ createdAt }: WaitingNotice) => isTooLate(createdAt, now)
  for (const { id } of notices.filter(isTooOld)) plan.drops.push({ id, checkId: null, reason: 'too-late' })
  const waiting = { checks, notices: notices.filter(notice => !isTooOld(notice)) }
  if (channel.usable === 'not now') return planUnusable(waiting, plan)
  if (channel.usable === 'unknown') return planUnknown(waiting, plan, now)
  const { down, other } = channel.sending
  // One delivery is tried on behalf of all.
  if (channel.unreachableUntil !== null && down + other > 0) return plan
  const parts = waiting.checks.flatMap(check => planCheck(channel, check, plan, now) ?? [])
  planParts(channel, parts, waiting.notices, plan, { most, combine }, now)
  keepReplacedByUnplanned(parts, plan)
  return plan
}

/**
 * A change that is neither sent nor held is planned again later. The changes that it replaces must not be dropped
 * before that, because they show whether one was missed.
 */
function keepReplacedByUnplanned(parts: readonly Part[], plan: Plan): void {
  const planned = new Set(plan.holds.map(({ id }) => id))
  for (const message of plan.messages) for (const { change } of message.parts) planned.add(change.id)
  const left = new Set(parts.flatMap(({ change, checkId }) => (planned.has(change.id) ? [] : [checkId])))
  plan.drops = plan.drops.filter(({ checkId }) => checkId === null || !left.has(checkId))
}

/** Plans the drops of one check; returns what to send if the limits allow it. */
function planCheck({ rules }: ChannelState, check: WaitingCheck, plan: Plan, now: number): Part | null {
  const { checkId, flapping, isTarget, holds } = check
  const newestAt = check.changes.at(-1)!.at
  const after = afterFlapping(rules.grouped ? flapping : null, check.changes[0]!.at, newestAt, now)
  const isHeld = holds.length > 0 || after.state === 'held'
  const asked = withoutNeedlessAgain(check, { wantsUp: rules.up, isHeld })
  for (const { change, reason } of asked.dropped) plan.drops.push({ id: change.id, checkId, reason })
  if (asked.changes.length === 0) return null
  const changes = isTarget ? asked.changes : endLast(asked.changes)
  if (waitsForLink({ ...check, changes }, rules)) {
    for (const change of changes) {
      if (change === changes.at(-1) || mayHaveArrived(change)) plan.parked.push(change.id)
      else plan.drops.push({ id: change.id, checkId, reason: 'unlinked' })
    }
    return null
  }
  const charged = check.changes.findLast(change => change.charged !== 0)?.charged ?? 0
  const { due, dropped, reported } = reconcile(
    { ...check, changes, charged },
    rules,
    after.state !== 'calm',
    now,
  )
  for (const { change, reason } of dropped) plan.drops.push({ id: change.id, checkId, reason })
  if (reported !== null && checkId !== null) plan.reported.push({ checkId, status: reported })
  if (after.state === 'held' && checkId !== null) plan.stillFlapping.push({ checkId, at: newestAt })
  if (due === null) return null
  if (!isTarget && due.change.status !== 'deleted') {
    plan.drops.push({ id: due.change.id, checkId, reason: 'unlinked' })
    if (checkId !== null) plan.reported.push({ checkId, status: 'up' })
    return null
  }
  // A notice that a check is flapping promises its status.
  const isPromised = after.state !== 'calm' && due.reports === 'up'
  const held = isPromised ? { action: 'send' as const } : underHolds({ ...check, changes }, due)
  if (held.action === 'drop') {
    plan.drops.push({ id: due.change.id, checkId, reason: 'held' })
    if (checkId !== null) plan.reported.push({ checkId, status: 'up' })
    return null
  }
  if (held.action === 'hold') {
    const until = holdUntil(holds, now)
    plan.holds.push({ id: due.change.id, due: held.due, until, reason: holds[0]!.reason, by: holds })
    return null
  }
  if (asked.isStopped && due.reports === 'down') {
    plan.holds.push({ id: due.change.id, due, until: now + RECHECK_MS, reason: 'acknowledged' })
    return null
  }
  if (after.state === 'held') {
    plan.holds.push({ id: due.change.id, due, until: after.until, reason: 'flapping' })
    return null
  }
  if (check.outageUntil !== null && due.reports === 'down') {
    plan.holds.push({ id: due.change.id, due, until: check.outageUntil, reason: 'outage' })
    return null
  }
  const begins = rules.grouped && after.state === 'calm' && isFlapping(check.history, now)
  return { ...due, checkId, form: after.state === 'steady' ? 'steady' : begins ? 'flapping' : 'alert' }
}

/** The change that ends the check for the channel goes last: later ones do not concern the channel any more. */
function endLast(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => Number(a.status === 'deleted') - Number(b.status === 'deleted'))
}

/** Plans for a channel of an unknown kind: what it wants is not known, so that nothing is sent and nothing dropped. */
function planUnknown({ checks, notices }: Parameters<typeof planChannel>[1], plan: Plan, now: number): Plan {
  const unknown = { until: now + ASK_AGAIN_MS, reason: 'unknown' as const }
  for (const { changes, holds } of checks) {
    const [first] = holds
    const hold = first ? { until: holdUntil(holds, now), reason: first.reason } : unknown
    for (const { id } of changes) plan.holds.push({ id, due: null, ...hold })
  }
  for (const { id } of notices) plan.holds.push({ id, due: null, ...unknown })
  return plan
}

/**
 * Plans for an unusable channel: nothing is sent. What may have arrived, or closes an incident, waits until the
 * channel can be used again. The rest is dropped: when the channel is enabled, it is sent what has changed.
 */
function planUnusable(waiting: Parameters<typeof planChannel>[1], plan: Plan): Plan {
  for (const { checkId, changes } of waiting.checks) {
    for (const change of changes) {
      if (mayHaveArrived(change) || change.status === 'deleted') plan.parked.push(change.id)
      else plan.drops.push({ id: change.id, checkId, reason: 'unusable' })
    }
  }
  for (const { id } of waiting.notices) plan.drops.push({ id, checkId: null, reason: 'unusable' })
  return plan
}
