/** Sends events to webhooks. No project waits for another's webhook, and failing ones never take all places. */
import type { EventFeed } from '../actions/events/event-feed.js'
import { type SendEventsDeps, sendEvents } from '../actions/events/send-events.js'
import type { Changes } from '../lib/changes.js'
import { newToken } from '../lib/secrets/secrets.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

/** Webhooks that are sent to at once: healthy ones, failing ones, and of one project. */
const HEALTHY = 20
const FAILING = 10
const OF_PROJECT = 2

/** Candidates that are read at once; one project can have no more of them than its limit. */
const CANDIDATES = 100

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

  async function look(): Promise<null> {
    if (performance.now() < noneUntil) return null
    if (!(await store.events.hasWebhooks())) {
      noneUntil = performance.now() + NONE_MS
      return null
    }
    const final = await events.final()
    for (const failing of [false, true]) await begin(final, failing)
    return null
  }

  async function begin(final: number, failing: boolean) {
    const free = (failing ? FAILING : HEALTHY) - count(turn => turn.failing === failing)
    if (free <= 0) return
    const not = [...new Set([...turns.values()].map(turn => turn.projectId))].filter(isFull)
    const due = await store.events.dueWebhooks({ now: clock.now(), final, failing, limit: CANDIDATES, not })
    let begun = 0
    for (const { id, projectId } of due) {
      if (begun >= free || abort.signal.aborted) return
      if (turns.has(id) || isFull(projectId)) continue
      turns.set(id, { projectId, failing, done: send(id, final) })
      begun++
    }
  }

  async function send(id: number, final: number) {
    const worker = `${deps.worker} ${newToken().slice(0, 8)}`
    try {
      await sendEvents(deps, id, { worker, final, signal: abort.signal })
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
