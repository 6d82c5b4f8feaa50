/**
 * New events for everyone in this process who follows them: one poller reads the database for all. It runs only while
 * somebody listens. Events come in the order of their IDs, and none is missed. Decision 0121.
 */
import { setImmediate } from 'node:timers/promises'
import type { RecordedEvent } from '../../core/events/event.js'
import { advanced, NO_WATERMARK, type Watermark } from '../../core/events/watermark.js'
import type { Changes } from '../../lib/changes.js'
import type { StoreWith } from '../../storage/store.js'

/** How often the database is asked. Writes of this process are looked for at once. */
const EVERY_MS = 500

/** The pause after a write, so that several are read together, and before transactions under way are asked for again. */
const SOON_MS = 20

/** The shortest time between two looks: pings announce changes many times a second, and most of them cause no event. */
const LEAST_MS = 100

const PAGE = 500

/** How many listeners are passed events before others have their turn. */
const AT_ONCE = 5

export interface FeedDeps {
  store: StoreWith<'events.head' | 'events.between'>
  changes: Changes
  onError(error: unknown): void
}

interface Listener {
  projectId: number
  /** Called with events of the project after those that it had when it began to listen. */
  hear(events: readonly RecordedEvent[]): void
}

export class EventFeed {
  readonly #listeners = new Set<Listener>()
  #watermark: Watermark = NO_WATERMARK
  /** Everything up to here was passed on. */
  #passed = 0
  #timer: NodeJS.Timeout | null = null
  /** When the timer ends, of `performance.now()`. */
  #turnAt = Number.POSITIVE_INFINITY
  /** When the last turn began, of `performance.now()`. */
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | null = null
  #stopListening: (() => void) | null = null
  #starting: Promise<void> | null = null

  constructor(private readonly deps: FeedDeps) {}

  /**
   * Listens to the events of a project from now on. `from`: the ID after which they come; earlier ones are in the
   * database.
   */
  async listen(listener: Listener): Promise<{ from: number; stop: () => void }> {
    if (this.#listeners.size === 0) this.#starting = this.#start()
    this.#listeners.add(listener)
    const stop = () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#end()
    }
    try {
      await this.#starting
      await this.#looking
    } catch (error) {
      stop()
      throw error
    }
    return { from: this.#passed, stop }
  }

  /** The ID up to which every event is in the database. */
  async final(): Promise<number> {
    await this.#look()
    return this.#watermark.final
  }

  /** Whether there are later events, which are final when the transactions end that were under way at the last look. */
  get waits(): boolean {
    return this.#watermark.waiting !== null
  }

  async #start(): Promise<void> {
    this.#stopListening = this.deps.changes.on('checks', () => this.#soon(SOON_MS))
    await this.#look()
    this.#passed = this.#watermark.final
    this.#soon(EVERY_MS)
  }

  #end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#turnAt = Number.POSITIVE_INFINITY
    this.#stopListening?.()
    this.#stopListening = null
  }

  /** A turn in `ms`, or when the pause is over: changes that come ever sooner after one another never put it off. */
  #soon(ms: number): void {
    const at = Math.max(performance.now() + ms, this.#lookedAt + LEAST_MS)
    if (this.#looking || this.#listeners.size === 0 || at >= this.#turnAt) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#turnAt = at
    this.#timer = setTimeout(() => this.#turn(), at - performance.now())
  }

  #turn(): void {
    this.#turnAt = Number.POSITIVE_INFINITY
    this.#lookedAt = performance.now()
    this.#looking ??= this.#passOn()
      .catch(error => this.deps.onError(error))
      .finally(() => {
        this.#looking = null
        this.#soon(this.#watermark.waiting ? SOON_MS : EVERY_MS)
      })
  }

  /** Asks how far events are final. Right after something new, that is asked again: mostly nothing else is under way. */
  async #look(): Promise<void> {
    const { store } = this.deps
    for (let again = 0; again < 2; again++) {
      const head = await store.events.head(this.#watermark.final)
      this.#watermark = advanced(this.#watermark, head)
      if (!this.#watermark.waiting) return
    }
  }

  async #passOn(): Promise<void> {
    await this.#look()
    const upTo = this.#watermark.final
    while (this.#passed < upTo && this.#listeners.size > 0) {
      const projectIds = [...new Set([...this.#listeners].map(({ projectId }) => projectId))]
      const range = { after: this.#passed, upTo, limit: PAGE, types: [] }
      const events = await this.deps.store.events.between(projectIds, range)
      this.#passed = events.length < PAGE ? upTo : events.at(-1)!.id
      await this.#share(events, projectIds)
    }
  }

  /**
   * A listener that came while the events were read asks the database for them itself. Pings are answered between a few listeners
   * and the next.
   */
  async #share(events: readonly RecordedEvent[], asked: readonly number[]): Promise<void> {
    const concerned = [...this.#listeners].filter(({ projectId }) => asked.includes(projectId))
    for (const [place, listener] of concerned.entries()) {
      if (place % AT_ONCE === AT_ONCE - 1) await setImmediate()
      const its = events.filter(({ projectId }) => projectId === listener.projectId)
      if (its.length > 0 && this.#listeners.has(listener)) listener.hear(its)
    }
  }
}
