import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isRead,
  type OwnPings,
  type TakeOptions,
  type Took,
  takeLarge,
  takeMessages,
  type Wanted,
} from '../../actions/alerts/take-messages.js'
import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import { FairQueue } from '../../lib/fair/fair-queue.js'
import { instant, Lease } from '../../lib/lease.js'
import { RecentMap } from '../../lib/recent-map.js'
import type { DueChannel } from '../../storage/alerts/due-channels.js'
import type { ClaimedMessage } from '../../storage/alerts/messages.js'
import { isLocked, mayBeOneRow } from '../../storage/errors.js'
import { SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'
import { Loop } from '../loop.js'
import { BadDeliveries, type BadDeliveriesDeps } from './bad-deliveries.js'
import { LEASE_MS } from './claims-in-hand.js'
import { releaseEndedClaims } from './release-ended-claims.js'
import { type MakeLease, Sending, type SendingDeps } from './sending.js'
import { CHANNELS_AT_ONCE, Grants } from './slots/grants.js'
import { Storms } from './storms.js'
import { TakeOver } from './take-over.js'

/** The maximum number of walks over the channels in one pass that finds nothing to send. */
const WALKS = 2
/** The pause (ms) before the next pass continues. */
const GO_ON_MS = 50
/** The pause before a channel is tried again that another transaction had locked for long. */
const LOCKED_MS = 500
/** So many of them are remembered. */
const LOCKED_AT_MOST = 1_000

export interface DeliveriesDeps extends SendingDeps {
  store: SendingDeps['store'] &
    BadDeliveriesDeps['store'] &
    StoreWith<
      | 'alerts.dueChannels'
      | 'alerts.takeMessages'
      | 'alerts.releaseClaims'
      | 'alerts.claimants'
      | 'alerts.probeLock'
    >
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
  const aside = new SetAside('channel', deps.onSetAside)
  const bad = new BadDeliveries(deps)
  const grants = new Grants(lookAgain)
  const storms = new Storms(deps.clock)
  const takeOver = new TakeOver()
  /** Large messages are claimed and settled one at a time, in transactions of their own. */
  const largeWrites = new FairQueue()
  const sending = new Sending(deps, grants, largeWrites, lookAgain)
  /** Channels that another transaction may have locked for long, or of which a row is bad, are claimed from one at a time, too. */
  const refusedClaims = new FairQueue()
  /** The channels that are handled in a transaction of their own, or wait for one. */
  const alone = new Map<number, Promise<void>>()
  /** The channels that were locked for long when they were last tried. */
  const locked = new RecentMap<number, true>(LOCKED_AT_MOST)
  const claims = {
    claimants: () => deps.store.alerts.claimants(),
    release: (workers: readonly string[], now: number) => deps.store.alerts.releaseClaims(workers, now),
  }
  const loop = new Loop(look, deps.clock, deps.onError)
  const stopListening: (() => void)[] = []
  const ended = new AbortController()
  // All pauses listen to it, which is not a leak.
  setMaxListeners(0, ended.signal)
  let stopping = false
  let started = false
  let cursor = 0

  async function look(): Promise<number | null> {
    if (!started) await takeOver.watch(() => releaseEndedClaims(claims, deps))
    started = true
    await takeOver.probe(() => deps.store.alerts.probeLock())
    grants.beginPass()
    for (let failedWalks = 0, rounds = 0; !stopping; ) {
      grants.beginLook()
      const remembered = grant(grants.waiting.all()).map(({ channel }) => channel)
      const also = remembered.map(({ id }) => id)
      const now = deps.clock.now()
      const due = { now, endedBefore: takeOver.endedBefore(now), cursor, also }
      const found = await takeOver.watch(() => deps.store.alerts.dueChannels(due))
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
    return grants.grant(channels.filter(({ id }) => !alone.has(id)))
  }

  /** Claims messages and starts sending them. `any`: whether there were any, or there may be some now. */
  async function take(wanted: readonly Wanted[]) {
    const channels = new Set(wanted.map(({ channel }) => channel.id))
    const isFree = ({ channel }: Wanted) => !locked.get(channel.id) && !aside.has(channel.id)
    const together = wanted.filter(isFree)
    const any = together.length > 0 && (await takeTogether(together))
    for (const { channel } of any === null ? wanted : wanted.filter(one => !isFree(one))) takeRefused(channel)
    return { channels, any: any ?? true }
  }

  /** Does so in one transaction. Returns whether there were any; null if nothing was done for a row: see `unlessRefused`. */
  async function takeTogether(wanted: readonly Wanted[], alone?: Wanted): Promise<boolean | null> {
    const leaseMs = LEASE_MS.small
    const makeLease = leases(leaseMs)
    const options = optionsFor(wanted, leaseMs)
    const claimed = await unlessRefused(takeMessages(deps, wanted, options), options, alone)
    if (!claimed) return null
    const isLarge = ({ channel }: Wanted) => claimed.large.has(channel.id)
    const { messages, dropped, putOff, large } = claimed
    const others = dropped + putOff
    const isAgain = startAll(
      wanted.filter(one => !isLarge(one)),
      { messages, others },
      makeLease,
    )
    for (const { channel } of wanted.filter(isLarge)) takeLargeAlone(channel)
    return isAgain || messages.length + others + large.size > 0
  }

  /** Claims messages of a channel with many deliveries. */
  function takeLargeAlone(channel: DueChannel): void {
    takeAlone(channel, largeWrites, async wanted => {
      const leaseMs = LEASE_MS.large
      const makeLease = leases(leaseMs)
      const options = optionsFor([wanted], leaseMs)
      const claiming = takeLarge(deps, wanted, options, () => !stopping)
      const claimed = await unlessRefused(claiming, options, wanted)
      if (!claimed || stopping) return
      const { messages, dropped, putOff } = claimed
      startAll([wanted], { messages, others: dropped + putOff }, makeLease)
    })
  }

  /** Claims messages of a channel of which a row may be locked for long, or bad. While it is, it is tried only now and then. */
  function takeRefused(channel: DueChannel): void {
    takeAlone(channel, refusedClaims, async wanted => void (await takeTogether([wanted], wanted)))
  }

  /** Claims from one channel by `claim`, in its turn in `queue`. */
  function takeAlone(channel: DueChannel, queue: FairQueue, claim: (wanted: Wanted) => Promise<void>): void {
    const claiming = queue
      .run(channel.projectId, async () => {
        const [wanted] = stopping || waitsForStorm(channel) ? [] : grants.grant([channel])
        if (wanted) await claim(wanted)
      })
      .then(async () => {
        if (locked.get(channel.id)) await pause(LOCKED_MS)
        await aside.wait(channel.id, ended.signal)
      })
      .catch(error => {
        deps.onError(error)
        return pause(LOCKED_MS)
      })
      .finally(() => {
        if (alone.get(channel.id) === claiming) alone.delete(channel.id)
        grants.waiting.add(channel)
        lookAgain()
      })
    alone.set(channel.id, claiming)
  }

  /** Ends early when the process stops. */
  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: ended.signal }).catch(() => {})
  }

  /**
   * What was claimed; null if nothing was, for a row that was locked for long, or that cannot be written or read. `alone`: the channel
   * whose row that is, if it is known.
   */
  async function unlessRefused(
    claiming: Promise<Took>,
    options: TakeOptions,
    alone?: Wanted,
  ): Promise<Took | null> {
    try {
      const took = await claiming
      if (alone && !took.large.has(alone.channel.id)) {
        locked.delete(alone.channel.id)
        aside.succeed(alone.channel.id)
      }
      return took
    } catch (error) {
      if (!isLocked(error) && !mayBeOneRow(error)) throw error
      if (isLocked(error)) takeOver.note()
      if (alone && isLocked(error)) locked.set(alone.channel.id, true)
      else if (alone) await aside.tryAlone(alone.channel.id, () => bad.find(alone, options, error))
      return null
    }
  }

  function optionsFor(wanted: readonly Wanted[], leaseMs: number): TakeOptions {
    const inHand = sending.inHand.ofChannels(wanted.map(({ channel }) => channel.id))
    const endedBefore = takeOver.endedBefore(deps.clock.now())
    return { leaseMs, inHand, leftOut: bad.aside.leftOut, endedBefore }
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
    for (const message of messages) {
      for (const { id } of message.parts) bad.aside.succeed(id)
      sending.start(message, makeLease)
    }
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
    /** The number of channels of which nothing can be claimed, and of deliveries that cannot be claimed or settled. */
    setAside: () => aside.ids.length + bad.aside.ids.length + sending.unsettled.ids.length,
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
      ended.abort()
      await Promise.all(alone.values())
      await sending.stop()
      await deps.store.alerts.releaseClaims([deps.worker], deps.clock.now()).catch(deps.onError)
    },
  }
}
