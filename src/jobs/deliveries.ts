import { setMaxListeners } from 'node:events'
import type { DeliverDeps } from '../actions/deliver.js'
import { deliver } from '../actions/deliver.js'
import type { TurnDeps } from '../actions/deliver-together.js'
import { deliverTurn } from '../actions/deliver-turn.js'
import { mayGroup } from '../integrations/common-fields.js'
import { integrationOf } from '../integrations/index.js'
import { appendTo } from '../lib/append-to.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { ClaimedDelivery } from '../storage/deliveries.js'
import type { Store } from '../storage/store.js'
import { Loop } from './loop.js'

/** Deliveries under way at once: in all, and through one channel, so that a slow receiver holds up only itself. */
const AT_ONCE = 128
const AT_ONCE_PER_CHANNEL = 16
/** Claimed and waiting for their channel's turn, in all. */
const HELD_AT_MOST = 2_048
/** Claimed deliveries are this process's own for so long, and are renewed well before. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
/** How long a shutdown waits for messages under way before it gives them back. */
const FINISH_MS = 4_000

export interface DeliveriesDeps extends DeliverDeps {
  store: TurnDeps['store'] & Pick<Store, 'nextDelivery' | 'renewClaims' | 'releaseClaims'>
  changes: Changes
  clock: Clock
  /** Names this process in the claims. */
  worker: string
}

/**
 * Makes deliveries: claims what is due and works it off, many channels at once, one channel in turn. What waits for a
 * channel that people read is dealt with together, by one turn at a time.
 */
export function deliveriesJob(deps: DeliveriesDeps) {
  const waiting = new Map<number, ClaimedDelivery[]>()
  const underWay = new Map<number, number>()
  const inHand = new Set<number>()
  const inTurn = new Set<number>()
  const running = new Set<Promise<unknown>>()
  const abort = new AbortController()
  // Every exchange under way listens to it; that is no leak.
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  let renewal: NodeJS.Timeout | null = null
  let stopListening = () => {}
  let stopping = false

  async function look(): Promise<number | null> {
    while (!stopping && running.size < AT_ONCE && held() < HELD_AT_MOST) {
      const now = deps.clock.now()
      const next = await deps.store.nextDelivery(now)
      if (next === null || next > now) return next
      const claimed = await deps.store.claimDeliveries({
        worker: deps.worker,
        now,
        leaseUntil: now + LEASE_MS,
        limit: AT_ONCE,
        busyChannels: [...waiting.keys(), ...inTurn],
        inHand: [...inHand],
      })
      for (const delivery of claimed) appendTo(waiting, delivery.channelId, delivery)
      startSome()
      if (claimed.length === 0) return null
    }
    return null
  }

  function held(): number {
    let count = running.size
    for (const queue of waiting.values()) count += queue.length
    return count
  }

  function startSome(): void {
    for (const [channelId, queue] of waiting) {
      const { kind, settings } = queue[0]!.channel
      const integration = integrationOf(kind)
      if (integration && mayGroup(integration, settings)) {
        if (!inTurn.has(channelId)) startTurn(channelId, queue.splice(0))
      } else {
        while (queue.length > 0 && (underWay.get(channelId) ?? 0) < AT_ONCE_PER_CHANNEL) start(queue.shift()!)
      }
      if (queue.length === 0) waiting.delete(channelId)
    }
  }

  function startTurn(channelId: number, deliveries: ClaimedDelivery[]): void {
    inTurn.add(channelId)
    const turn: Promise<unknown> = deliverTurn({ ...deps, leaseMs: LEASE_MS }, deliveries, abort.signal)
      .catch(deps.onError)
      .finally(() => {
        running.delete(turn)
        inTurn.delete(channelId)
        // What came meanwhile was left unclaimed.
        if (!stopping) loop.wake()
      })
    running.add(turn)
  }

  function start(delivery: ClaimedDelivery): void {
    const { id, channelId } = delivery
    inHand.add(id)
    underWay.set(channelId, (underWay.get(channelId) ?? 0) + 1)
    const attempt: Promise<unknown> = deliver(deps, delivery, abort.signal)
      .catch(deps.onError)
      .finally(() => {
        running.delete(attempt)
        inHand.delete(id)
        const left = underWay.get(channelId)! - 1
        if (left === 0) underWay.delete(channelId)
        else underWay.set(channelId, left)
        if (stopping) return
        startSome()
        if (running.size < AT_ONCE / 2) loop.wake()
      })
    running.add(attempt)
  }

  return {
    /** How many times it has looked for deliveries. */
    looks: () => loop.looks,
    start() {
      stopListening = deps.changes.on('deliveries', () => loop.wake())
      renewal = setInterval(() => {
        if (running.size === 0 && waiting.size === 0) return
        deps.store.renewClaims(deps.worker, deps.clock.now() + LEASE_MS).catch(deps.onError)
      }, RENEW_MS)
      loop.start()
    },
    /** Takes on nothing new, waits a moment for what is under way, and gives back the rest. */
    async stop() {
      stopping = true
      stopListening()
      await loop.stop()
      let timer: NodeJS.Timeout | undefined
      const finished = Promise.all(running)
      await Promise.race([finished, new Promise(resolve => (timer = setTimeout(resolve, FINISH_MS)))])
      clearTimeout(timer)
      abort.abort()
      if (renewal) clearInterval(renewal)
      await deps.store.releaseClaims(deps.worker, deps.clock.now()).catch(deps.onError)
    },
  }
}
