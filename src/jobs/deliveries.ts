import { setMaxListeners } from 'node:events'
import { deliver } from '../actions/alerts/deliver.js'
import type { DeliverDeps } from '../actions/alerts/deliver-deps.js'
import { releaseOfDead } from '../actions/alerts/release-of-dead.js'
import { takeMessages, type Wanted } from '../actions/alerts/take-messages.js'
import { DeliveryError } from '../integrations/integration.js'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { ClaimedMessage } from '../storage/alerts/messages.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'
import { SendSlots } from './send-slots.js'
import { Turns, type Waiting } from './turns.js'
import { WaitingChannels } from './waiting-channels.js'

/** Claimed deliveries are this process's own for so long, and are renewed well before. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000
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
  const inHand = new Set<number>()
  const running = new Set<Promise<unknown>>()
  /** Channels whose checks are all being sent, as far as they were due when that was last asked. */
  const waitingForOwn = new Set<number>()
  let askedAt = Number.NEGATIVE_INFINITY
  const abort = new AbortController()
  // Every exchange under way listens to it; that is no leak.
  setMaxListeners(0, abort.signal)
  const loop = new Loop(look, deps.clock, deps.onError)
  let renewal: NodeJS.Timeout | null = null
  let stopListening = () => {}
  let stopping = false
  let started = false
  let cursor = 0
  /** Whether something due waits for a slot, as far as the last look saw. */
  let leftBehind = false

  async function look(): Promise<number | null> {
    if (!started) await releaseOfDead(deps)
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
      const wanted: Wanted[] = grant(found.channels)
      for (const { channel } of wanted) turns.took(channel)
      // Those that answer promptly do not wait until the others are claimed.
      const isPrompt = ({ channel }: Wanted) => slots.standingOf(channel.id) === 'prompt'
      const prompt = await take(wanted.filter(isPrompt))
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
    const options = { leaseMs: LEASE_MS, inHand: [...inHand] }
    const { messages, dropped } = await takeMessages(deps, wanted, options)
    for (const message of messages) start(message)
    const took = new Set(messages.map(({ channel }) => channel.id))
    for (const { channel } of wanted) {
      if (took.has(channel.id)) continue
      waiting.delete(channel)
      if (slots.sendingThrough(channel.id) > 0) waitingForOwn.add(channel.id)
    }
    return { channels, any: messages.length > 0 || dropped > 0 }
  }

  /** What may be taken of whom, in the order of their turns, as far as there are slots: promptly answering ones first. */
  function grant<T extends Waiting>(channels: readonly T[]) {
    const budget = slots.budget()
    const granted: { channel: T; messages: number; sending: Wanted['sending'] }[] = []
    const isPrompt = ({ id }: T) => Number(slots.standingOf(id) === 'prompt')
    for (const channel of turns.inOrder(channels).sort((a, b) => isPrompt(b) - isPrompt(a))) {
      if (waitingForOwn.has(channel.id) || slots.isFull(channel.id)) continue
      const messages = budget({ channelId: channel.id, projectId: channel.projectId })
      if (messages === 0) leftBehind = true
      else granted.push({ channel, messages, sending: slots.sending(channel.id) })
      if (granted.length === CHANNELS_AT_ONCE) break
    }
    return granted
  }

  function start(message: ClaimedMessage): void {
    const { channel, alertClass, parts } = message
    const own = new AbortController()
    const about = { channelId: channel.id, projectId: channel.projectId, alertClass }
    const slot = slots.begin(about, tookMs => own.abort(tookTooLong(tookMs)))
    for (const { id } of parts) inHand.add(id)
    const attempt: Promise<unknown> = deliver(deps, message, AbortSignal.any([abort.signal, own.signal]))
      .catch(error => {
        deps.onError(error)
        return null
      })
      .then(sent => {
        running.delete(attempt)
        for (const { id } of parts) inHand.delete(id)
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
      stopListening = deps.changes.on('deliveries', lookAgain)
      renewal = setInterval(() => {
        if (running.size === 0) return
        const until = deps.clock.now() + LEASE_MS
        deps.store.alerts.renewClaims({ worker: deps.worker, ids: [...inHand], until }).catch(deps.onError)
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
      await deps.store.alerts.releaseClaims([deps.worker], deps.clock.now()).catch(deps.onError)
    },
  }
}

/** Why a message is cut off: others wait for its slot. */
function tookTooLong(tookMs: number): DeliveryError {
  return new DeliveryError(`No answer within ${Math.max(1, Math.round(tookMs / 1000))} s`)
}
