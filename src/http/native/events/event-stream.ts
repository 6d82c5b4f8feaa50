/** One stream of the events of a project: those after an ID from the database, then new ones as they come. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventFeed } from '../../../actions/events/event-feed.js'
import type { RecordedEvent } from '../../../core/events/event.js'
import type { EventType } from '../../../core/events/event-types.js'
import type { Changes } from '../../../lib/changes.js'
import { FairQueue } from '../../../lib/fair/fair-queue.js'
import type { StoreWith } from '../../../storage/store.js'
import { STREAM_RIGHTS_MS } from '../../auth.js'
import { RETRY_MS } from './stream-limits.js'

/** Something is sent at least this often, so that both sides notice a lost connection. */
const HEARTBEAT_MS = 15_000

/** A reader that is this many events behind is disconnected; it resumes from the database. */
const MOST_WAITING = 1_000

const PAGE = 200

/** Pages of past events are read one at a time, the projects in turns: hundreds of readers that resume at once delay no ping. */
const replays = new FairQueue()

export interface StreamDeps {
  store: StoreWith<'events.between' | 'events.replay'>
  events: EventFeed
  changes: Changes
  onError(error: unknown): void
}

export interface StreamRequest {
  projectId: number
  types: readonly EventType[]
  /** The last event that the reader has; null: only new ones. */
  after: number | null
  /** The JSON of an event for this reader. */
  show(event: RecordedEvent): string
  isStillAllowed(): Promise<boolean>
  /** Closes the connection of a reader that is too slow. */
  disconnect(): void
  /** Called once, when the stream has ended. */
  onEnd(): void
}

/** The body of the response. It ends when the reader leaves, may no longer read, or is too slow. */
export async function openEventStream(
  deps: StreamDeps,
  request: StreamRequest,
): Promise<ReadableStream<Uint8Array>> {
  const waiting: RecordedEvent[] = []
  let isOpen = true
  let wake = () => {}
  const hear = (events: readonly RecordedEvent[]) => {
    if (!isOpen) return
    waiting.push(...events)
    if (waiting.length > MOST_WAITING) {
      // A reader that reads nothing asks for nothing more, so the stream cannot end by itself.
      waiting.length = 0
      end()
      request.disconnect()
    }
    wake()
  }
  const close = () => {
    isOpen = false
    wake()
  }
  const rights = { suspect: false, seenAt: performance.now() }
  const { projectId, types, after } = request
  const { from, stop } = await deps.events.listen({ projectId, hear })
  // Committed, but not yet passed on: events of other transactions with smaller IDs may follow.
  const early = await visibleAfter(deps.store, projectId, from).catch(error => {
    stop()
    throw error
  })
  // An ID that is nobody's came from elsewhere, such as a database that was restored since.
  const begin = after !== null && (after <= from || early.has(after)) ? after : from
  const stopListening = [
    stop,
    deps.changes.on('closing', close),
    deps.changes.on('access', () => {
      rights.suspect = true
      wake()
    }),
    request.onEnd,
  ]
  const end = () => {
    isOpen = false
    for (const each of stopListening.splice(0)) each()
  }

  let beatAt = performance.now()
  const isBeatDue = () => performance.now() >= beatAt
  /** What is sent; without events a comment, which shows the reader that the connection is alive, and this process whether the reader is. */
  const send = (text: string) => {
    beatAt = performance.now() + HEARTBEAT_MS
    return text === '' ? ': alive\n\n' : text
  }

  /** Waits for something to do, at most until the next heartbeat or the next look at the rights. */
  const pause = () =>
    new Promise<void>(resolve => {
      const until = Math.min(beatAt, rights.seenAt + STREAM_RIGHTS_MS)
      const timer = setTimeout(resolve, until - performance.now())
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (!isOpen || waiting.length > 0 || rights.suspect) wake()
    })

  const mayRead = async () => {
    if (!rights.suspect && performance.now() - rights.seenAt < STREAM_RIGHTS_MS) return true
    rights.suspect = false
    rights.seenAt = performance.now()
    return await request.isStillAllowed()
  }

  let last = begin
  /** The next page of past events; null if the reader has left or may not read them. */
  const readPage = async () => {
    if (!isOpen) return null
    const range = { after: last, upTo: from, limit: PAGE, types }
    const { events, readTo } = await deps.store.events.replay(projectId, range)
    last = readTo
    if (!(await mayRead())) return null
    const text = textOf(events)
    // What came in meanwhile is answered before the next page.
    await nextTurn()
    return text
  }

  async function* pieces(): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    while (isOpen && last < from) {
      const text = await replays.run(projectId, readPage)
      if (text === null) return
      if (text !== '') yield text
      else if (isBeatDue()) yield send(text)
    }
    while (isOpen) {
      if (!(await mayRead())) return
      const isNew = ({ id }: RecordedEvent) => id > last && (after !== null || !early.has(id))
      const events = waiting.splice(0).filter(event => isNew(event) && isWanted(event))
      if (events.length > 0 || isBeatDue()) yield send(textOf(events))
      await pause()
    }
  }

  const isWanted = ({ type }: RecordedEvent) => request.types.length === 0 || request.types.includes(type)
  const textOf = (events: readonly RecordedEvent[]) =>
    events.map(event => `id: ${event.id}\nevent: ${event.type}\ndata: ${request.show(event)}\n\n`).join('')
  const encoder = new TextEncoder()
  const source = pieces()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await source.next()
        if (!done && isOpen) return controller.enqueue(encoder.encode(value))
      } catch (error) {
        if (isOpen) deps.onError(error)
      }
      end()
      controller.close()
    },
    cancel: end,
  })
}

/** The IDs of a project's events after an ID that a reader would see now. */
async function visibleAfter(
  store: StreamDeps['store'],
  projectId: number,
  after: number,
): Promise<ReadonlySet<number>> {
  const range = { upTo: Number.MAX_SAFE_INTEGER, limit: MOST_WAITING, types: [] }
  const ids = new Set<number>()
  for (let last = after; ; ) {
    const events = await store.events.between([projectId], { ...range, after: last })
    for (const { id } of events) ids.add(id)
    if (events.length < MOST_WAITING) return ids
    last = events.at(-1)!.id
  }
}
