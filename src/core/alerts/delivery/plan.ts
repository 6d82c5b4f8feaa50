/** What becomes of all that waits for one channel. Pure: the claim carries it out. Decision 0102. */
import {
  type AlertClass,
  allowanceFor,
  classOf,
  MAX_PER_MINUTE,
  type SentCounts,
  withOneMore,
} from './allowance.js'
import { type Change, type DropReason, type HoldReason, isHold } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import { afterFlapping, type Flapping, isFlapping } from './flapping.js'
import { type Due, type Learns, type Reported, reconcile } from './reconcile.js'
import { TRY_FOR_MS } from './retry.js'

/** What waits about one check, oldest first; at least one change. */
export interface WaitingCheck {
  /** Null where it is deleted. */
  checkId: number | null
  changes: readonly Change[]
  reported: Reported
  /** Whether it is down now: its own status, whatever waits. */
  isDown: boolean
  /** Whether the channel is to hear of it; if not, of the end of its incident alone. */
  isTarget: boolean
  flapping: Flapping | null
  /** When it changed, newest first; see `isFlapping`. May be empty where the channel is not read by people. */
  history: readonly number[]
}

/** A notice that waits. */
export interface WaitingNotice {
  id: number
  /** It is not sent when it is older than a day, tried or not. */
  createdAt: number
}

/** The channel as the claim finds it. */
export interface ChannelState {
  rules: ChannelRules
  /** Whether it can be used; `not now`: not until it is enabled or confirmed; `unknown`: this version does not know its kind. */
  usable: 'yes' | 'not now' | 'unknown'
  sent: SentCounts
  /** Until when (ms) nothing is tried, since nothing has arrived for a day; null where something does. */
  unreachableUntil: number | null
  /** Messages on their way. */
  sending: Readonly<Record<AlertClass, number>>
  /** How many messages its receiver takes now, and when it takes the next one after those. */
  receiver: { messages: number; until: number }
}

/** `flapping`: the message is that the check flaps; `steady`: it flapped, and this is how it is now. */
export type MessageForm = 'alert' | 'flapping' | 'steady' | 'digest' | 'notice'

export interface PlannedMessage {
  form: MessageForm
  alertClass: AlertClass
  /** What it is about; empty for a notice. */
  parts: (Due & { checkId: number | null })[]
  /** The delivery of a notice. */
  noticeId: number | null
}

export interface Plan {
  messages: PlannedMessage[]
  /** `due` is null for a notice. */
  holds: { id: number; due: Due | null; until: number; reason: HoldReason }[]
  /** Deliveries that wait until the channel can be used again. */
  parked: number[]
  drops: { id: number; checkId: number | null; reason: DropReason }[]
  /** Checks of which the channel counts as having learned without a message. */
  learned: { checkId: number; learns: Learns }[]
  /** Checks that changed while the channel waits for them to be steady, and when. */
  stillFlapping: { checkId: number; at: number }[]
  /** Set where the limit an hour is reached: what is held, and until when. */
  limitReached: { holds: 'all' | 'all but down alerts'; until: number } | null
}

type Part = PlannedMessage['parts'][number] & { form: 'alert' | 'flapping' | 'steady' }

/** How often a channel is looked at whose kind is not known: a newer version may have been started again. */
const ASK_AGAIN_MS = 900_000

/**
 * Plans at most `most` messages; what exceeds them stays due. `combine`: everything that may be sent now joins a message
 * about many that has been allowed already.
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
    learned: [],
    stillFlapping: [],
    limitReached: null,
  }
  const isTooOld = ({ createdAt }: WaitingNotice) => now - createdAt >= TRY_FOR_MS
  for (const { id } of notices.filter(isTooOld)) plan.drops.push({ id, checkId: null, reason: 'too-late' })
  const waiting = { checks, notices: notices.filter(notice => !isTooOld(notice)) }
  if (channel.usable === 'not now') return planUnusable(waiting, plan)
  if (channel.usable === 'unknown')
    return holdAll(waiting, { until: now + ASK_AGAIN_MS, reason: 'unknown' }, plan)
  if (channel.unreachableUntil !== null) {
    const { down, other } = channel.sending
    if (down + other > 0) return plan
    if (now < channel.unreachableUntil) {
      // One delivery is tried for all: the others wait for it, and none is looked at before.
      return holdAll(waiting, { until: channel.unreachableUntil, reason: 'unreachable' }, plan)
    }
  }
  const parts = waiting.checks.flatMap(check => planCheck(channel, check, plan, now) ?? [])
  planParts(channel, parts, waiting.notices, plan, { most, combine }, now)
  keepWhole(parts, plan)
  return plan
}

/**
 * What is neither sent nor held is looked at again as it is now: what it replaces is not dropped before it says so, since
 * that tells that a change was missed.
 */
function keepWhole(parts: readonly Part[], plan: Plan): void {
  const planned = new Set(plan.holds.map(({ id }) => id))
  for (const message of plan.messages) for (const { change } of message.parts) planned.add(change.id)
  const left = new Set(parts.flatMap(({ change, checkId }) => (planned.has(change.id) ? [] : [checkId])))
  plan.drops = plan.drops.filter(({ checkId }) => checkId === null || !left.has(checkId))
}

function planParts(
  channel: ChannelState,
  parts: readonly Part[],
  notices: readonly { id: number }[],
  plan: Plan,
  { most, combine }: { most: number; combine: boolean },
  now: number,
): void {
  const send = sender(channel, plan, channel.unreachableUntil === null ? most : 1, now)
  if (combine) {
    if (parts.length > 0) plan.messages.push(digest(parts))
    return
  }
  const sendNotices = () => {
    for (const { id } of notices) send({ form: 'notice', alertClass: 'other', parts: [], noticeId: id })
  }
  if (channel.unreachableUntil !== null) {
    const singles = parts.toSorted(leastTried).map(single)
    if (channel.rules.grouped) planLimited(channel, plan, singles, now, send)
    else for (const one of singles) send(one)
    sendNotices()
    return
  }
  sendNotices()
  if (!channel.rules.grouped) for (const part of parts) send(single(part))
  else if (isCombined(parts)) planLimited(channel, plan, [digest(parts)], now, send)
  else {
    const singles = parts.map(single)
    planLimited(channel, plan, [...singles.filter(isDown), ...singles.filter(one => !isDown(one))], now, send)
  }
}

/** Notes what is not sent about a check; returns what is to be sent, limits permitting. */
function planCheck({ rules }: ChannelState, check: WaitingCheck, plan: Plan, now: number): Part | null {
  const { checkId, flapping, isTarget } = check
  if (isTrueAgain(check)) {
    for (const { id } of check.changes) plan.drops.push({ id, checkId, reason: 'reported' })
    return null
  }
  const changes = isTarget ? check.changes : endLast(check.changes)
  const newestAt = changes.at(-1)!.at
  const after = afterFlapping(rules.grouped ? flapping : null, changes[0]!.at, newestAt, now)
  const { due, dropped, learns } = reconcile({ ...check, changes }, rules, after.state !== 'calm', now)
  for (const { change, reason } of dropped) plan.drops.push({ id: change.id, checkId, reason })
  if (learns !== null && checkId !== null) plan.learned.push({ checkId, learns })
  if (after.state === 'held' && checkId !== null) plan.stillFlapping.push({ checkId, at: newestAt })
  if (due === null) return null
  if (!isTarget && due.change.status !== 'deleted') {
    plan.drops.push({ id: due.change.id, checkId, reason: 'unlinked' })
    if (checkId !== null) plan.learned.push({ checkId, learns: 'up' })
    return null
  }
  if (after.state === 'held') {
    plan.holds.push({ id: due.change.id, due, until: after.until, reason: 'flapping' })
    return null
  }
  const begins = rules.grouped && after.state === 'calm' && isFlapping(check.history, now)
  return { ...due, checkId, form: after.state === 'steady' ? 'steady' : begins ? 'flapping' : 'alert' }
}

/**
 * Whether all that waits comes to the end of an incident for this channel, which has been linked again before that was tried:
 * what the channel learned is true, so that nothing is to be closed.
 */
function isTrueAgain({ changes, reported, isDown, isTarget }: WaitingCheck): boolean {
  if (!isTarget || !isDown || reported === null) return false
  return changes.at(-1)!.status === 'deleted' && changes.every(({ attempts }) => attempts === 0)
}

/** What ends a check for the channel goes last: what came after it is not the channel's any more. */
function endLast(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => Number(a.status === 'deleted') - Number(b.status === 'deleted'))
}

/** Puts messages into the plan while there is room and the receiver takes more. Returns whether it did. */
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

/** Sends what the limits allow, in this order, and holds the rest. Where down alerts have to wait, everything has. */
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

/** Whether alerts are combined: more than may be sent in a minute, or several of which one was held by a limit. */
function isCombined(parts: readonly Part[]): boolean {
  const held = parts.some(({ change }) => change.heldBy === 'minute' || change.heldBy === 'hour')
  return parts.length > MAX_PER_MINUTE || (parts.length > 1 && held)
}

function single({ form, ...part }: Part): PlannedMessage {
  return { form, alertClass: classOf([part.change.status]), parts: [part], noticeId: null }
}

function digest(parts: readonly Part[]): PlannedMessage {
  const statuses = parts.map(({ change }) => change.status)
  return { form: 'digest', alertClass: classOf(statuses), parts: parts.map(withoutForm), noticeId: null }
}

/** What was tried least goes first, so that a message that its receiver refuses does not block the others for ever. */
function leastTried(a: Part, b: Part): number {
  return a.change.attempts - b.change.attempts
}

function withoutForm({ form: _, ...part }: Part): PlannedMessage['parts'][number] {
  return part
}

function isDown({ alertClass }: PlannedMessage): boolean {
  return alertClass === 'down'
}

/** Nothing is looked at before an instant. What a rule kept back still was no more than kept back. */
function holdAll(
  { checks, notices }: Parameters<typeof planChannel>[1],
  { until, reason }: { until: number; reason: HoldReason },
  plan: Plan,
): Plan {
  for (const { id, heldBy } of checks.flatMap(({ changes }) => changes)) {
    plan.holds.push({ id, due: null, until, reason: heldBy !== null && isHold(heldBy) ? heldBy : reason })
  }
  for (const { id } of notices) plan.holds.push({ id, due: null, until, reason })
  return plan
}

/**
 * Nothing is sent. What may have arrived, or closes what is open, waits until the channel can be used again; the rest is
 * dropped, since the channel is then compared with what is true.
 */
function planUnusable(waiting: Parameters<typeof planChannel>[1], plan: Plan): Plan {
  for (const { checkId, changes } of waiting.checks) {
    for (const change of changes) {
      const mayHaveArrived = change.attempts > 0 || change.missed
      if (mayHaveArrived || change.status === 'deleted') plan.parked.push(change.id)
      else plan.drops.push({ id: change.id, checkId, reason: 'unusable' })
    }
  }
  for (const { id } of waiting.notices) plan.drops.push({ id, checkId: null, reason: 'unusable' })
  return plan
}
