import { setMaxListeners } from 'node:events'
import type { DeliverDeps } from '../actions/alerts/deliver.js'
import { deliver } from '../actions/alerts/deliver.js'
import { releaseEndedClaims } from '../actions/alerts/release-ended-claims.js'
import {
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
import type { StoreWith } from '../storage/store.js'
import { ClaimsInHand, LEASE_MS } from './claims-in-hand.js'
import { Loop } from './loop.js'
import { SendSlots } from './send-slots.js'
import { Storms } from './storms.js'
import { Turns, type Waiting } from './turns.js'
import { WaitingChannels } from './waiting-channels.js'

/** How often channels whose checks are all being sent are asked for other checks. */
const ASK_AGAIN_MS = 250
/** How many walks over the channels one look makes at most, where it finds nothing that may be sent. */
const WALKS = 2
/** When the next look goes on with them. */
const GO_ON_MS = 50
/** How many channels are taken from in one transaction, and how many remembered ones are looked at again. */
const CHANNELS_AT_ONCE = 32
/** How long a shutdown waits for messages under way before it gives them back. */
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
 * Delivers: finds the channels with something due, takes from each in turn what may be sent at once, and sends it. Who may
 * send how much is the business of {@link SendSlots}.
 */
export function deliveriesJob(deps: DeliveriesDeps) {
  const slots = new SendSlots(() => performance.now(), lookAgain)
  const turns = new Turns()
  const waiting = new WaitingChannels()
  const storms = new Storms(deps.clock)
  /** What is large is claimed and settled one after the other, in transactions of its own. */
  const largeWrites = new FairQueue()
  const inHand = new ClaimsInHand(deps, largeWrites)
  const running = new Set<Promise<unknown>>()
  /** Channels that are taken from alone, or wait for it. */
  const large = new Map<number, Promise<void>>()
  /** Channels whose checks are all being sent, as far as they were due when that was last asked. */
  const waitingForOwn = new Set<number>()
  let askedAt = Number.NEGATIVE_INFINITY
  const abort = new AbortController()
  // Every exchange under way listens to it; that is no leak.
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  const stopListening: (() => void)[] = []
  let stopping = false
  let started = false
  let cursor = 0
  /** Whether something due waits for a slot, as far as the last look saw. */
  let leftBehind = false

  async function look(): Promise<number | null> {
    if (!started) await releaseEndedClaims(deps)
    started = true
    leftBehind = false
    if (performance.now() - askedAt >= ASK_AGAIN_MS) {
      askedAt = performance.now()
      waitingForOwn.clear()
    }
    for (let inVain = 0, rounds = 0; !stopping; ) {
      const remembered = grant(waiting.all()).map(({ channel }) => channel)
      const also = remembered.map(({ id }) => id)
      const found = await deps.store.alerts.dueChannels({ now: deps.clock.now(), cursor, also })
      cursor = found.cursor
      for (const channel of remembered) waiting.delete(channel)
      for (const channel of found.channels) waiting.add(channel)
      if (found.channels.length === 0) return found.next
      for (const { id, answeredWithin } of found.channels) slots.recall(id, answeredWithin)
      const wanted: Wanted[] = grant(found.channels.filter(channel => !waitsForStorm(channel)))
      // Those that answer promptly do not wait until the others are claimed.
      const prompt = await take(wanted.filter(({ channel }) => goesFirst(channel)))
      const others = await take(wanted.filter(one => !prompt.channels.has(one.channel.id)))
      if (prompt.any || others.any) continue
      // Another process has it, it is held, or it waits for a slot. Others may be found behind it, once around.
      if (found.walked && found.cursor === 0) rounds++
      const isAll = !found.walked && wanted.length < CHANNELS_AT_ONCE
      if (isAll || rounds === 2) return null
      if (++inVain === WALKS) return deps.clock.now() + GO_ON_MS
    }
    return null
  }

  /** Takes what is wanted and starts it. `any`: whether there was something. */
  async function take(wanted: readonly Wanted[]) {
    const channels = new Set(wanted.map(({ channel }) => channel.id))
    if (wanted.length === 0) return { channels, any: false }
    const leaseMs = LEASE_MS.small
    const lease = leases(leaseMs)
    const options = { leaseMs, inHand: inHand.ofChannels([...channels]) }
    const took = await takeMessages(deps, wanted, options)
    const isLarge = ({ channel }: Wanted) => took.large.has(channel.id)
    startAll(
      wanted.filter(one => !isLarge(one)),
      took.messages,
      lease,
    )
    for (const { channel } of wanted.filter(isLarge)) takeAlone(channel)
    return { channels, any: took.messages.length + took.dropped + took.large.size > 0 }
  }

  /** Takes from a channel that much waits for, when it is its turn. */
  function takeAlone(channel: DueChannel): void {
    const taking = largeWrites
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
    large.set(channel.id, taking)
  }

  /** Makes leases of what is about to be claimed. */
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
    const took = new Set(messages.map(({ channel }) => channel.id))
    for (const { channel } of wanted) {
      // Who has to wait for a receiver that others are sent to as well is the next one there.
      if (took.has(channel.id) || !sharesReceiver(channel)) turns.took(channel)
      if (took.has(channel.id)) continue
      waiting.delete(channel)
      if (slots.sendingThrough(channel.id) > 0) waitingForOwn.add(channel.id)
    }
  }

  /** Whether it comes before others: those that share a receiver have their turns there, promptly answering or not. */
  function goesFirst(channel: Waiting & Partial<DueChannel>): boolean {
    return slots.standingOf(channel.id) === 'prompt' || sharesReceiver(channel)
  }

  function waitsForStorm(channel: DueChannel): boolean {
    return storms.isGoingOn(channel.projectId) && isRead(channel)
  }

  /** What may be taken of whom, in the order of their turns, as far as there are slots: promptly answering ones first. */
  function grant<T extends Waiting>(channels: readonly T[], alone: T | null = null) {
    const budget = slots.budget()
    const granted: { channel: T; messages: number; sending: Wanted['sending'] }[] = []
    const rank = (channel: T) => Number(goesFirst(channel))
    for (const channel of turns.inOrder(channels).sort((a, b) => rank(b) - rank(a))) {
      if (channel !== alone && large.has(channel.id)) continue
      if (waitingForOwn.has(channel.id) || slots.isFull(channel.id)) continue
      const messages = budget({ channelId: channel.id, projectId: channel.projectId })
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
    const slot = slots.begin(about, tookMs => own.abort(tookTooLong(tookMs)))
    inHand.add(message, lease)
    const isLarge = message.parts.length > SMALL
    // What is sent does not wait until all that is due is claimed: it has turns of its own.
    const inTurn = <R>(write: () => Promise<R>) => largeWrites.run(-channel.projectId, write)
    const signal = AbortSignal.any([abort.signal, own.signal])
    const attempt: Promise<unknown> = deliver(deps, message, signal, lease, isLarge ? inTurn : undefined)
      .catch(error => {
        deps.onError(error)
        return null
      })
      .then(sent => {
        running.delete(attempt)
        inHand.delete(message)
        slots.end(slot, sent)
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
    /** How many times it has looked for deliveries. */
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
    /** Takes on nothing new, waits a moment for what is under way, and gives back the rest. */
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

/** Why a message is cut off: others wait for its slot. */
function tookTooLong(tookMs: number): DeliveryError {
  return new DeliveryError(`No answer within ${Math.max(1, Math.round(tookMs / 1000))} s`)
}
