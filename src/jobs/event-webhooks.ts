/** Sends events to webhooks. No project waits for another's webhook, and failing ones never take all places. */
import type { EventFeed } from '../actions/events/event-feed.js'
import { type SendEventsDeps, sendEvents } from '../actions/events/send-events.js'
import type { Changes } from '../lib/changes.js'
import { newToken } from '../lib/secrets/secrets.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'
import { LIMITS } from './slots/send-slots.js'

/** Webhooks that are sent to at once, healthy or failing ones: those that may still answer promptly, and slow ones. */
const PLACES = { healthy: { prompt: 20, slow: 256 }, failing: { prompt: 10, slow: 128 } } as const

/** Those of one project. */
const OF_PROJECT = 2

/** Candidates that are read at once; one project can have no more of them than its limit. */
const CANDIDATES = 100

/** How often they are read in one pass. */
const MOST_PASSES = 10

/** How often is asked whether there is any webhook, while there is none. */
const NONE_MS = 5_000

export interface EventWebhooksDeps extends SendEventsDeps {
  store: SendEventsDeps['store'] & StoreWith<'events.hasWebhooks' | 'events.dueWebhooks'>
  events: Pick<EventFeed, 'final'>
  changes: Changes
  worker: string
  onError(error: unknown): void
}

interface Turn {
  projectId: number
  failing: boolean
  /** When its request began (of `performance.now()`), while one is under way. */
  askedAt: number | null
  done: Promise<void>
}

export function eventWebhooksJob(deps: EventWebhooksDeps) {
  const { store, events, clock, onError } = deps
  const abort = new AbortController()
  const turns = new Map<number, Turn>()
  const loop = new Loop(look, clock, onError)
  let stopListening = () => {}
  /** Until then (of `performance.now()`) nothing is asked, because there was no webhook. */
  let noneUntil = 0

  async function look(): Promise<number | null> {
    if (performance.now() < noneUntil) return null
    if (!(await store.events.hasWebhooks())) {
      noneUntil = performance.now() + NONE_MS
      return null
    }
    const final = await events.final()
    const waits = [await begin(final, false), await begin(final, true)]
    // One that takes a place becomes slow.
    return waits.includes(true) ? clock.now() + LIMITS.slowAfterMs : null
  }

  /** Returns whether another one may wait for a place. */
  async function begin(final: number, failing: boolean): Promise<boolean> {
    for (let passes = 0; !abort.signal.aborted; passes++) {
      if (freePlaces(failing) <= 0 || passes === MOST_PASSES) return true
      const not = [...new Set([...turns.values()].map(turn => turn.projectId))].filter(isFull)
      const asked = { now: clock.now(), final, failing, limit: CANDIDATES, not }
      const due = await store.events.dueWebhooks(asked)
      let begun = 0
      for (const { id, projectId } of due) {
        if (freePlaces(failing) <= 0) return true
        if (turns.has(id) || isFull(projectId)) continue
        const turn: Turn = { projectId, failing, askedAt: null, done: Promise.resolve() }
        turns.set(id, turn)
        turn.done = send(id, turn, final)
        begun++
      }
      // Else others may stand behind many of a few projects.
      if (due.length < CANDIDATES || begun === 0) return false
    }
    return false
  }

  /** Slow ones leave their places to others, as long as there are places for slow ones. */
  function freePlaces(failing: boolean): number {
    const places = failing ? PLACES.failing : PLACES.healthy
    const slowSince = performance.now() - LIMITS.slowAfterMs
    const isSlow = ({ askedAt }: Turn) => askedAt !== null && askedAt <= slowSince
    const slow = count(turn => turn.failing === failing && isSlow(turn))
    const prompt = count(turn => turn.failing === failing && !isSlow(turn))
    return places.prompt - prompt - Math.max(0, slow - places.slow)
  }

  async function send(id: number, turn: Turn, final: number) {
    const worker = `${deps.worker} ${newToken().slice(0, 8)}`
    const onRequest = (isUnderWay: boolean) => {
      turn.askedAt = isUnderWay ? performance.now() : null
    }
    try {
      await sendEvents(deps, id, { worker, final, signal: abort.signal, onRequest })
      turns.delete(id)
      loop.wake()
    } catch (error) {
      turns.delete(id)
      // The next pass of the loop tries it again, after a second.
      if (!abort.signal.aborted) onError(error)
    }
  }

  const isFull = (projectId: number) => count(turn => turn.projectId === projectId) >= OF_PROJECT
  const count = (is: (turn: Turn) => boolean) => [...turns.values()].filter(is).length

  return {
    start() {
      stopListening = deps.changes.on('checks', () => loop.wakeAt(clock.now() + 20))
      loop.start()
    },
    /** Aborts what is under way, which any process sends again. */
    async stop() {
      stopListening()
      abort.abort(new Error('Punctual is stopping'))
      await loop.stop()
      await Promise.all([...turns.values()].map(({ done }) => done))
    },
  }
}
