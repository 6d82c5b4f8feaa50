import { releaseEndedClaims } from '../actions/alerts/release-ended-claims.js'
import {
  isRead,
  type OwnPings,
  takeLarge,
  takeMessages,
  type Wanted,
} from '../actions/alerts/take-messages.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import { FairQueue } from '../lib/fair-queue.js'
import { instant, Lease } from '../lib/lease.js'
import type { DueChannel } from '../storage/alerts/due-channels.js'
import type { ClaimedMessage } from '../storage/alerts/messages.js'
import type { StoreWith } from '../storage/store.js'
import { LEASE_MS } from './claims-in-hand.js'
import { Loop } from './loop.js'
import { type MakeLease, Sending, type SendingDeps } from './sending.js'
import { CHANNELS_AT_ONCE, Grants } from './slots/grants.js'
import { Storms } from './storms.js'

/** The maximum number of walks over the channels in one pass that finds nothing to send. */
const WALKS = 2
/** The pause (ms) before the next pass continues. */
const GO_ON_MS = 50

export interface DeliveriesDeps extends SendingDeps {
  store: SendingDeps['store'] &
    StoreWith<'alerts.dueChannels' | 'alerts.takeMessages' | 'alerts.releaseClaims' | 'alerts.claimants'>
  changes: Changes
  clock: Clock
  /** This process, if it accepts pings. */
  own?: OwnPings | null
  /** Names this process in the claims; see lib/worker-name.ts. */
  worker: string
}

/**
 * Sends messages: finds the channels with something due, claims from each in turn what may be sent at once
 * ({@link Grants}), and sends it ({@link Sending}).
 */
export function deliveriesJob(deps: DeliveriesDeps) {
  const grants = new Grants(lookAgain)
  const storms = new Storms(deps.clock)
  /** Large messages are claimed and settled one at a time, in transactions of their own. */
  const largeWrites = new FairQueue()
  const sending = new Sending(deps, grants, largeWrites, lookAgain)
  /** The channels that are handled in a transaction of their own, or wait for one. */
  const large = new Map<number, Promise<void>>()
  const loop = new Loop(look, deps.clock, deps.onError)
  const stopListening: (() => void)[] = []
  let stopping = false
  let started = false
  let cursor = 0

  async function look(): Promise<number | null> {
    if (!started) await releaseEndedClaims(deps)
    started = true
    grants.beginPass()
    for (let failedWalks = 0, rounds = 0; !stopping; ) {
      const remembered = grant(grants.waiting.all()).map(({ channel }) => channel)
      const also = remembered.map(({ id }) => id)
      const found = await deps.store.alerts.dueChannels({ now: deps.clock.now(), cursor, also })
      cursor = found.cursor
      grants.found(remembered, found.channels)
      if (found.channels.length === 0) return found.next
      const wanted: Wanted[] = grant(found.channels.filter(channel => !waitsForStorm(channel)))
      // Channels that answer promptly do not wait until the others are claimed.
      const prompt = await take(wanted.filter(({ channel }) => grants.goesFirst(channel)))
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

  /** Channels that are handled in a transaction of their own are granted nothing here. */
  function grant<T extends { id: number; projectId: number }>(channels: readonly T[]) {
    return grants.grant(channels.filter(({ id }) => !large.has(id)))
  }

  /** Claims messages and starts sending them. `any`: whether there were any, or there may be some now. */
  async function take(wanted: readonly Wanted[]) {
    const channels = new Set(wanted.map(({ channel }) => channel.id))
    if (wanted.length === 0) return { channels, any: false }
    const leaseMs = LEASE_MS.small
    const makeLease = leases(leaseMs)
    const options = { leaseMs, inHand: sending.inHand.ofChannels([...channels]) }
    const claimed = await takeMessages(deps, wanted, options)
    const isLarge = ({ channel }: Wanted) => claimed.large.has(channel.id)
    const { messages, dropped, putOff, large } = claimed
    const others = dropped + putOff
    const isAgain = startAll(
      wanted.filter(one => !isLarge(one)),
      { messages, others },
      makeLease,
    )
    for (const { channel } of wanted.filter(isLarge)) takeAlone(channel)
    return { channels, any: isAgain || messages.length + others + large.size > 0 }
  }

  /** Claims messages of a channel with many deliveries, in its turn. */
  function takeAlone(channel: DueChannel): void {
    const claiming = largeWrites
      .run(channel.projectId, async () => {
        const wanted = stopping || waitsForStorm(channel) ? [] : grants.grant([channel])
        if (wanted.length === 0) return
        const leaseMs = LEASE_MS.large
        const makeLease = leases(leaseMs)
        const options = { leaseMs, inHand: sending.inHand.ofChannels([channel.id]) }
        const { messages, dropped, putOff } = await takeLarge(deps, wanted[0]!, options, () => !stopping)
        if (!stopping) startAll(wanted, { messages, others: dropped + putOff }, makeLease)
      })
      .catch(deps.onError)
      .finally(() => {
        large.delete(channel.id)
        grants.waiting.add(channel)
        lookAgain()
      })
    large.set(channel.id, claiming)
  }

  /** A function that makes leases for the messages about to be claimed. */
  function leases(leaseMs: number): MakeLease {
    const begun = instant(deps.clock)
    return own => new Lease(own, deps.clock, begun, leaseMs)
  }

  /** Starts sending what was claimed. Returns whether others may have slots that were kept for these channels. */
  function startAll(
    wanted: readonly Wanted[],
    { messages, others }: { messages: readonly ClaimedMessage[]; others: number },
    makeLease: MakeLease,
  ): boolean {
    for (const message of messages) sending.start(message, makeLease)
    const channels = wanted.map(({ channel }) => channel)
    return grants.took(channels, messages, others)
  }

  function waitsForStorm(channel: DueChannel): boolean {
    return storms.isGoingOn(channel.projectId) && isRead(channel)
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
      sending.inHand.start()
      loop.start()
    },
    /** Starts nothing new, waits a moment for messages under way, and releases the rest. */
    async stop() {
      stopping = true
      for (const stop of stopListening) stop()
      await loop.stop()
      await Promise.all(large.values())
      await sending.stop()
      await deps.store.alerts.releaseClaims([deps.worker], deps.clock.now()).catch(deps.onError)
    },
  }
}
