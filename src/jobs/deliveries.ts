import { setMaxListeners } from 'node:events'
import type { DeliverDeps } from '../actions/alerts/deliver.js'
import { deliver } from '../actions/alerts/deliver.js'
import { releaseEndedClaims } from '../actions/alerts/release-ended-claims.js'
import { Settlements } from '../actions/alerts/settle-messages.js'
import {
  isMail,
  isRead,
  SMALL,
  sharesReceiver,
  takeLarge,
  takeMessages,
  type Wanted,
} from '../actions/alerts/take-messages.js'
import { DeliveryError } from '../integrations/integration.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import { FairQueue } from '../lib/fair-queue.js'
import { instant, Lease } from '../lib/lease.js'
import type { DueChannel } from '../storage/alerts/due-channels.js'
import type { ClaimedMessage } from '../storage/alerts/messages.js'
import type { Settlement } from '../storage/alerts/settle/settlement.js'
import type { StoreWith } from '../storage/store.js'
import { ClaimsInHand, LEASE_MS } from './claims-in-hand.js'
import { Loop } from './loop.js'
import { MailSlots } from './mail-slots.js'
import { SendSlots } from './send-slots.js'
import { Storms } from './storms.js'
import { Turns, type Waiting } from './turns.js'
import { WaitingChannels } from './waiting-channels.js'

/** How often (ms) a channel is queried again whose due checks are all being sent. */
const ASK_AGAIN_MS = 250
/** The maximum number of walks over the channels in one pass that finds nothing to send. */
const WALKS = 2
/** The pause (ms) before the next pass continues. */
const GO_ON_MS = 50
/** The channels handled per transaction, and the remembered ones that are tried again. */
const CHANNELS_AT_ONCE = 32
/** How long (ms) a shutdown waits for messages under way before it releases them. */
const FINISH_MS = 4_000

export interface DeliveriesDeps extends DeliverDeps {
  store: DeliverDeps['store'] &
    StoreWith<
      | 'alerts.dueChannels'
      | 'alerts.takeMessages'
      | 'alerts.renewClaims'
      | 'alerts.releaseClaims'
      | 'alerts.claimants'
    >
  changes: Changes
  clock: Clock
  /** Names this process in the claims; see lib/worker-name.ts. */
  worker: string
}

/**
 * Sends messages: finds the channels with something due, claims from each in turn what may be sent at once, and sends
 * it. {@link SendSlots} limits how much each may send.
 */
export function deliveriesJob(deps: DeliveriesDeps) {
  const slots = new SendSlots(() => performance.now(), lookAgain)
  const mailSlots = new MailSlots(() => performance.now(), lookAgain)
  const turns = new Turns()
  const waiting = new WaitingChannels()
  const storms = new Storms(deps.clock)
  /** Large messages are claimed and settled one at a time, in transactions of their own. */
  const largeWrites = new FairQueue()
  const settlements = new Settlements(deps.store)
  const settle = (settlement: Settlement) => settlements.settle(settlement)
  const inHand = new ClaimsInHand(deps, largeWrites)
  const running = new Set<Promise<unknown>>()
  /** The channels that are handled in a transaction of their own, or wait for one. */
  const large = new Map<number, Promise<void>>()
  /** The channels whose due checks were all being sent when they were last queried. */
  const waitingForOwn = new Set<number>()
  let askedAt = Number.NEGATIVE_INFINITY
  const abort = new AbortController()
  // Every exchange in progress listens to this signal, which is not a leak.
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  const stopListening: (() => void)[] = []
  let stopping = false
  let started = false
  let cursor = 0
  /** Whether something due waited for a slot in the last pass. */
  let leftBehind = false

  async function look(): Promise<number | null> {
    if (!started) await releaseEndedClaims(deps)
    started = true
    leftBehind = false
    if (performance.now() - askedAt >= ASK_AGAIN_MS) {
      askedAt = performance.now()
      waitingForOwn.clear()
    }
    for (let failedWalks = 0, rounds = 0; !stopping; ) {
      const remembered = grant(waiting.all()).map(({ channel }) => channel)
      const also = remembered.map(({ id }) => id)
      const found = await deps.store.alerts.dueChannels({ now: deps.clock.now(), cursor, also })
      cursor = found.cursor
      for (const channel of remembered) waiting.delete(channel)
      for (const channel of found.channels) waiting.add(channel)
      if (found.channels.length === 0) return found.next
      for (const { id, answeredWithin } of found.channels) slots.recall(id, answeredWithin)
      const wanted: Wanted[] = grant(found.channels.filter(channel => !waitsForStorm(channel)))
      // Channels that answer promptly do not wait until the others are claimed.
      const prompt = await take(wanted.filter(({ channel }) => goesFirst(channel)))
      const others = await take(wanted.filter(one => !prompt.channels.has(one.channel.id)))
      if (prompt.any || others.any) continue
      // Everything due belongs to another process, is held, or waits for a slot. Search once more for other channels.
      if (found.walked && found.cursor === 0) rounds++
      const isAll = !found.walked && wanted.length < CHANNELS_AT_ONCE
      if (isAll || rounds === 2) return null
      if (++failedWalks === WALKS) return deps.clock.now() + GO_ON_MS
    }
    return null
  }

  /** Claims messages and starts sending them. `any`: whether there were any. */
  async function take(wanted: readonly Wanted[]) {
    const channels = new Set(wanted.map(({ channel }) => channel.id))
    if (wanted.length === 0) return { channels, any: false }
    const leaseMs = LEASE_MS.small
    const lease = leases(leaseMs)
    const options = { leaseMs, inHand: inHand.ofChannels([...channels]) }
    const claimed = await takeMessages(deps, wanted, options)
    const isLarge = ({ channel }: Wanted) => claimed.large.has(channel.id)
    startAll(
      wanted.filter(one => !isLarge(one)),
      claimed.messages,
      lease,
    )
    for (const { channel } of wanted.filter(isLarge)) takeAlone(channel)
    return { channels, any: claimed.messages.length + claimed.dropped + claimed.large.size > 0 }
  }

  /** Claims messages of a channel with many deliveries, in its turn. */
  function takeAlone(channel: DueChannel): void {
    const claiming = largeWrites
      .run(channel.projectId, async () => {
        const wanted = stopping || waitsForStorm(channel) ? [] : grant([channel], channel)
        if (wanted.length === 0) return
        const leaseMs = LEASE_MS.large
        const lease = leases(leaseMs)
        const options = { leaseMs, inHand: inHand.ofChannels([channel.id]) }
        const { messages } = await takeLarge(deps, wanted[0]!, options, () => !stopping)
        if (!stopping) startAll(wanted, messages, lease)
      })
      .catch(deps.onError)
      .finally(() => {
        large.delete(channel.id)
        waiting.add(channel)
        lookAgain()
      })
    large.set(channel.id, claiming)
  }

  /** A function that makes leases for the messages about to be claimed. */
  function leases(leaseMs: number): MakeLease {
    const begun = instant(deps.clock)
    return own => new Lease(own, deps.clock, begun, leaseMs)
  }

  function startAll(
    wanted: readonly Wanted[],
    messages: readonly ClaimedMessage[],
    makeLease: MakeLease,
  ): void {
    for (const message of messages) start(message, makeLease)
    const claimed = new Set(messages.map(({ channel }) => channel.id))
    for (const { channel } of wanted) {
      // A channel that waits for a shared receiver keeps its turn there.
      if (claimed.has(channel.id) || !sharesReceiver(channel)) turns.took(channel)
      if (claimed.has(channel.id)) continue
      waiting.delete(channel)
      if (slots.sendingThrough(channel.id) > 0) waitingForOwn.add(channel.id)
    }
  }

  /**
   * Whether a channel goes before others. Channels that share a receiver take turns there, whether or
   * not they answer promptly.
   */
  function goesFirst(channel: Waiting & Partial<DueChannel>): boolean {
    return slots.standingOf(channel.id) === 'prompt' || sharesReceiver(channel)
  }

  function waitsForStorm(channel: DueChannel): boolean {
    return storms.isGoingOn(channel.projectId) && isRead(channel)
  }

  /**
   * How much may be claimed from which channels, in the order of their turns, as far as there are slots. Channels
   * that answer promptly come first.
   */
  function grant<T extends Waiting & Partial<DueChannel>>(channels: readonly T[], alone: T | null = null) {
    const budget = slots.budget()
    const mailBudget = mailSlots.budget()
    const granted: { channel: T; messages: number; sending: Wanted['sending'] }[] = []
    const rank = (channel: T) => Number(goesFirst(channel))
    for (const channel of turns.inOrder(channels).sort((a, b) => rank(b) - rank(a))) {
      if (channel !== alone && large.has(channel.id)) continue
      if (waitingForOwn.has(channel.id) || slots.isFull(channel.id)) continue
      const { id: channelId, projectId } = channel
      const standing = slots.standingOf(channelId)
      const most = isMail(channel) ? mailBudget({ projectId, standing }, slots.most(channelId)) : undefined
      const messages = budget({ channelId, projectId, most })
      if (messages === 0) leftBehind = true
      else granted.push({ channel, messages, sending: slots.sending(channel.id) })
      if (granted.length === CHANNELS_AT_ONCE) break
    }
    return granted
  }

  function start(message: ClaimedMessage, makeLease: MakeLease): void {
    const { channel, alertClass } = message
    const own = new AbortController()
    const lease = makeLease(own)
    const about = { channelId: channel.id, projectId: channel.projectId, alertClass }
    const cutOff = (tookMs: number) => own.abort(tookTooLong(tookMs))
    const standing = slots.standingOf(channel.id)
    const endMail = isMail(channel) ? mailSlots.begin({ ...about, standing }, cutOff) : null
    const slot = slots.begin(about, cutOff)
    inHand.add(message, lease)
    const isLarge = message.parts.length > SMALL
    // Settling does not wait until everything due is claimed: it has turns of its own.
    const inTurn = <R>(write: () => Promise<R>) => largeWrites.run(-channel.projectId, write)
    const signal = AbortSignal.any([abort.signal, own.signal])
    const recording = { settle, ...(isLarge ? { inTurn } : {}) }
    const attempt: Promise<unknown> = deliver(deps, message, signal, lease, recording)
      .catch(error => {
        deps.onError(error)
        return null
      })
      .then(sent => {
        running.delete(attempt)
        inHand.delete(message)
        slots.end(slot, sent)
        endMail?.()
        if (waitingForOwn.delete(channel.id)) waiting.add(channel)
        const isHalfIdle = slots.sendingThrough(channel.id) <= slots.most(channel.id) / 2
        if (isHalfIdle || leftBehind) lookAgain()
      })
    running.add(attempt)
  }

  function lookAgain(): void {
    if (!stopping) loop.wake()
  }

  return {
    /** The number of passes so far. */
    looks: () => loop.looks,
    start() {
      stopListening.push(deps.changes.on('deliveries', lookAgain))
      stopListening.push(
        deps.changes.on('goingDown', ({ projects }) => {
          if (storms.hear(projects)) lookAgain()
        }),
      )
      inHand.start()
      loop.start()
    },
    /** Starts nothing new, waits a moment for messages under way, and releases the rest. */
    async stop() {
      stopping = true
      for (const stop of stopListening) stop()
      await loop.stop()
      await Promise.all(large.values())
      let timer: NodeJS.Timeout | undefined
      const finished = Promise.all(running)
      await Promise.race([finished, new Promise(resolve => (timer = setTimeout(resolve, FINISH_MS)))])
      clearTimeout(timer)
      abort.abort()
      inHand.stop()
      await deps.store.alerts.releaseClaims([deps.worker], deps.clock.now()).catch(deps.onError)
    },
  }
}

type MakeLease = (own: AbortController) => Lease

/** The error of a message that was aborted because others wait for its slot. */
function tookTooLong(tookMs: number): DeliveryError {
  return new DeliveryError(`No answer within ${Math.max(1, Math.round(tookMs / 1000))} s`)
}
