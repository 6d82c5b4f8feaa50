/** Plans the messages to a channel within its limits and those of its receiver. Decision 0102. */
import { allowanceFor, classOf, MAX_PER_MINUTE, withOneMore } from './allowance.js'
import type { HoldReason } from './change.js'
import type { ChannelState, Part, Plan, PlannedMessage } from './plan-values.js'
import { mustCombine, overQuota } from './quota.js'

/**
 * Adds messages about `waiting` and `notices` to `plan`, and holds those that the limits do not allow now, or all of them until an
 * unreachable channel is tried next.
 */
export function planParts(
  channel: ChannelState,
  waiting: readonly Part[],
  notices: readonly { id: number }[],
  plan: Plan,
  { most, combine }: { most: number; combine: boolean },
  now: number,
): void {
  const { unreachableUntil } = channel
  if (unreachableUntil !== null && now < unreachableUntil) {
    const hold = { until: unreachableUntil, reason: 'unreachable' } as const
    for (const due of waiting) plan.holds.push({ id: due.change.id, due, ...hold })
    for (const { id } of notices) plan.holds.push({ id, due: null, ...hold })
    return
  }
  const over = new Set(overQuota(waiting, channel))
  const { until } = channel.quota
  for (const due of over) plan.holds.push({ id: due.change.id, due, until, reason: 'quota' })
  const parts = waiting.filter(part => !over.has(part))
  const send = sender(channel, plan, unreachableUntil === null ? most : 1, now)
  if (combine) {
    if (parts.length > 0) plan.messages.push(digest(parts))
    return
  }
  const sendNotices = () => {
    for (const { id } of notices) send({ form: 'notice', alertClass: 'other', parts: [], noticeId: id })
  }
  if (unreachableUntil !== null) {
    const singles = parts.toSorted(leastTried).map(single)
    if (!channel.rules.grouped) for (const one of singles) send(one)
    else if (mustCombine(parts, channel)) planLimited(channel, plan, [digest(parts)], now, send)
    else planLimited(channel, plan, singles, now, send)
    sendNotices()
    return
  }
  sendNotices()
  if (!channel.rules.grouped) for (const part of parts) send(single(part))
  else if (isCombined(parts, channel)) planLimited(channel, plan, [digest(parts)], now, send)
  else {
    const singles = parts.map(single)
    planLimited(channel, plan, [...singles.filter(isDown), ...singles.filter(one => !isDown(one))], now, send)
  }
}

/**
 * Returns a function that adds a message to the plan if the plan and the receiver's limit allow it,
 * and tells whether it did.
 */
function sender({ receiver }: ChannelState, plan: Plan, most: number, now: number) {
  let left = receiver.messages
  return (message: PlannedMessage): boolean => {
    if (plan.messages.length >= most) return false
    if (left > 0) {
      left--
      plan.messages.push(message)
      return true
    }
    const until = Math.max(receiver.until, now)
    if (message.noticeId !== null) {
      plan.holds.push({ id: message.noticeId, due: null, until, reason: 'receiver' })
    }
    for (const due of message.parts) plan.holds.push({ id: due.change.id, due, until, reason: 'receiver' })
    return false
  }
}

/**
 * Plans the messages that the limits allow, in this order, and holds the rest. If down alerts have
 * to wait, so does the rest.
 */
function planLimited(
  { rules, sent, sending }: ChannelState,
  plan: Plan,
  messages: readonly PlannedMessage[],
  now: number,
  send: (message: PlannedMessage) => boolean,
): void {
  let counts = sent
  for (const alertClass of ['down', 'other'] as const) {
    for (let on = sending[alertClass]; on > 0; on--) counts = withOneMore(counts, alertClass, now)
  }
  for (const [index, message] of messages.entries()) {
    const allowance = allowanceFor(counts, message.alertClass, rules.hourly, now)
    if ('until' in allowance) {
      const { until, limit } = allowance
      const held = messages.slice(index).flatMap(({ parts }) => parts)
      for (const due of held) plan.holds.push({ id: due.change.id, due, until, reason: limit })
      const holds = message.alertClass === 'down' ? 'all' : 'all but down alerts'
      if (limit === 'hour') plan.limitReached = { holds, until }
      return
    }
    if (send(message)) counts = withOneMore(counts, message.alertClass, now)
  }
}

/** What several alerts wait for that are combined afterwards. */
const COMBINED = ['minute', 'hour', 'quota'] as const satisfies HoldReason[]

/** Whether to combine alerts: there are more than the limit a minute, the quota asks for it, or one of several was held by either. */
function isCombined(parts: readonly Part[], channel: ChannelState): boolean {
  const held = parts.some(({ change }) => COMBINED.some(limit => limit === change.heldBy))
  return parts.length > MAX_PER_MINUTE || mustCombine(parts, channel) || (parts.length > 1 && held)
}

function single({ form, ...part }: Part): PlannedMessage {
  return { form, alertClass: classOf([part.change.status]), parts: [part], noticeId: null }
}

function digest(parts: readonly Part[]): PlannedMessage {
  const statuses = parts.map(({ change }) => change.status)
  return { form: 'digest', alertClass: classOf(statuses), parts: parts.map(withoutForm), noticeId: null }
}

/** The least tried message goes first, so that one that its receiver refuses does not block the others forever. */
function leastTried(a: Part, b: Part): number {
  return a.change.attempts - b.change.attempts
}

function withoutForm({ form: _, ...part }: Part): PlannedMessage['parts'][number] {
  return part
}

function isDown({ alertClass }: PlannedMessage): boolean {
  return alertClass === 'down'
}
