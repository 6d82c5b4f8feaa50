/**
 * The claim: what is due for some channels is planned, and in one transaction what is to be sent at once is claimed, and
 * the rest held or dropped. So what is claimed is what is on its way. Decision 0102.
 */
import { type AlertClass, MAX_PER_MINUTE } from '../../core/alerts/delivery/allowance.js'
import { type ChannelRules, receiverLimit } from '../../core/alerts/delivery/channel-rules.js'
import type { Flapping } from '../../core/alerts/delivery/flapping.js'
import { type MessageForm, type Plan, planChannel } from '../../core/alerts/delivery/plan.js'
import type { Due } from '../../core/alerts/delivery/reconcile.js'
import { whyUnusable } from '../../core/alerts/delivery/unusable.js'
import type { Claim } from '../claims.js'
import type { Db } from '../db.js'
import { takeFromLimits, usesLeft } from '../people/rate-limits.js'
import { carryOut, type Dropped } from './carry-out.js'
import { nextProbe } from './note-unreachable.js'
import { trimWaiting } from './trim-waiting.js'
import { toWaitingCheck, type WaitingRow, waitingFor } from './waiting.js'
import { lockChannel, type WaitingChannel } from './waiting-channel.js'

/** What is asked for, of one channel. */
export interface TakeFrom {
  channelId: number
  /** What its kind and settings say; null where this version does not know the kind. */
  rules: ChannelRules | null
  /** The most messages, and the most deliveries that are looked at. */
  messages: number
  deliveries: number
  /** This process's messages on their way to it. */
  sending: Readonly<Record<AlertClass, number>>
  /** Whether what may be sent joins a message about many that is being put together. */
  combine?: boolean
}

export interface Take extends Omit<Claim, 'limit'> {
  worker: string
  channels: readonly TakeFrom[]
  /** Deliveries that this process is still sending: their leases may seem to be over when the clock is set. */
  inHand: readonly number[]
}

/** One delivery in a message. */
export interface ClaimedPart
  extends Pick<
    WaitingRow,
    | 'id'
    | 'uuid'
    | 'channelId'
    | 'change'
    | 'groupId'
    | 'checkId'
    | 'flipId'
    | 'flip'
    | 'notice'
    | 'closing'
    | 'attempts'
  > {
  /** The row of the attempt that is about to be made. */
  notificationUuid: string
  /** What it changes for the channel; null for a notice. */
  due: Due | null
  /** Since when there has been something to send. */
  createdAt: number
  flapping: Flapping | null
  /** When the check changed, newest first; only where the message may say that it flaps. */
  history: readonly number[]
}

/** A message that this process is to send: one delivery, or several that are combined. */
export interface ClaimedMessage {
  channel: WaitingChannel
  form: MessageForm
  alertClass: AlertClass
  parts: ClaimedPart[]
}

export interface Taken {
  messages: ClaimedMessage[]
  /** What is not sent at all, for the log. */
  dropped: Dropped[]
}

/** Takes messages of channels. A channel that is gone has none. */
export async function takeMessages(db: Db, take: Take): Promise<Taken> {
  const planned: Planned[] = []
  // In one order, so that two processes cannot wait for each other for ever.
  for (const from of take.channels.toSorted((a, b) => a.channelId - b.channelId)) {
    const one = await planFor(db, take, from)
    if (one) planned.push(one)
  }
  return await carryOut(db, take, planned)
}

/** What is to be done for one channel, with the rows that it is about. */
export interface Planned {
  channel: WaitingChannel
  rules: ChannelRules
  plan: Plan
  rows: ReadonlyMap<number, WaitingRow>
  /** By the rows' ids; see `isFlapping`. */
  history: ReadonlyMap<number, readonly number[]>
  /** Why the channel cannot be used; empty where it can. */
  unusable: string
}

async function planFor(db: Db, take: Take, from: TakeFrom): Promise<Planned | null> {
  const { now } = take
  const channel = await lockChannel(db, from.channelId)
  if (!channel) return null
  const rules = from.rules ?? NO_RULES
  const combine = from.combine ?? false
  const most = Math.max(from.deliveries, leastLookedAt(channel, now))
  const found = await waitingFor(db, channel.id, now, most)
  const inHand = new Set(take.inHand)
  const isFree = ({ id }: WaitingRow) => !inHand.has(id)
  const others = found.others.filter(isFree)
  const notices = others.filter(({ change }) => change === null)
  const closings = others.filter(({ change }) => change !== null).map(row => [row])
  const unusable = whyUnusable(channel, from.rules !== null)
  const free = found.checks.filter(rows => rows.every(isFree))
  const trimmed =
    unusable === '' || from.rules === null
      ? await Promise.all(free.map(rows => trimWaiting(db, rows, rules)))
      : free
  const checks = [...trimmed, ...closings]
  const historic = rules.grouped && !combine && checks.length <= MAX_PER_MINUTE
  const waiting = await Promise.all(checks.map(rows => toWaitingCheck(db, rows, historic)))
  const plan = planChannel(
    {
      rules,
      usable: unusable === '' ? 'yes' : from.rules === null ? 'unknown' : 'not now',
      unreachableUntil: channel.unreachableAt === null ? null : (channel.probeAt ?? 0),
      sent: channel.sent,
      sending: from.sending,
      receiver: await usesLeft(db, rules.receiver && receiverLimit(rules.receiver), now),
    },
    { checks: waiting, notices },
    { most: from.messages, combine },
    now,
  )
  // Another process waits for this one.
  if (channel.unreachableAt !== null && plan.messages.length > 0) {
    await nextProbe.all(db, { channelId: channel.id, probeAt: now + PROBE_MS })
  }
  if (rules.receiver && !combine) {
    for (const _ of plan.messages) await takeFromLimits(db, [receiverLimit(rules.receiver)], now)
  }
  return {
    channel,
    rules,
    plan,
    rows: new Map([...checks.flat(), ...notices].map(row => [row.id, row])),
    history: new Map(waiting.flatMap(({ changes, history }) => changes.map(({ id }) => [id, history]))),
    unusable,
  }
}

/** Of a channel that nothing arrives through: deliveries among which the one that was tried least is tried for all. */
const PROBES = 500
/** How long the one that is tried for all may take, should nobody ever say what came of it. */
const PROBE_MS = 60_000
/** Until then they only wait, and are put off a few at a time. */
const PUT_OFF = 200

function leastLookedAt({ unreachableAt, probeAt }: WaitingChannel, now: number): number {
  if (unreachableAt === null) return 0
  return now < (probeAt ?? 0) ? PUT_OFF : PROBES
}

/** Of a kind that this version does not know: nothing is sent, and nothing is lost. */
const NO_RULES: ChannelRules = {
  down: true,
  up: true,
  grouped: false,
  keepsOpen: true,
  hourly: 0,
  receiver: null,
}
