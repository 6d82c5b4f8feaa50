/**
 * Looks up names that only the system knows, by `getaddrinfo`, in the four threads that also hash passwords. A look-up
 * cannot be cancelled and occupies its thread until it ends. So there is one thread for names that were found before,
 * and one for all others. Decision 0103.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { RecentMap } from '../recent-map.js'

/** The time limit of a look-up, after which its callers get an error. */
const LIMIT_MS = 2_000
/** How long a result is served from the cache, and how long it is served when a look-up times out. */
const FRESH_MS = 10_000
const STALE_MS = 600_000
/** How long a name is refused after a look-up timed out. Doubles with each time-out in a row, up to the maximum. */
const REFUSED_MS = 60_000
const MAX_REFUSED_MS = 600_000
const MAX_CACHED_NAMES = 10_000

type Thread = 'found before' | 'other'
export type Lookup = (name: string) => Promise<LookupAddress[]>

interface Search {
  name: string
  thread: Thread
  callers: number
  begun: boolean
  done: Promise<LookupAddress[]>
  resolve: (found: LookupAddress[]) => void
  reject: (error: Error) => void
}

export class SystemLookup {
  readonly #searches = new Map<string, Search>()
  readonly #busy = new Set<Thread>()
  readonly #found = new RecentMap<string, { addresses: LookupAddress[]; at: number }>(MAX_CACHED_NAMES)
  readonly #slow = new RecentMap<string, { times: number; until: number }>(MAX_CACHED_NAMES)

  /** `now` is in ms. */
  constructor(
    private readonly lookup: Lookup = getaddrinfo,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** All addresses of `name`. Rejects if there are none or the look-up times out, or with the signal's reason. */
  async find(name: string, signal?: AbortSignal): Promise<LookupAddress[]> {
    signal?.throwIfAborted()
    const found = this.#foundWithin(name, FRESH_MS)
    if (found) return found
    if (this.now() < (this.#slow.get(name)?.until ?? 0)) return this.#staleOrThrow(name)
    const search = this.#searches.get(name) ?? this.#enqueue(name)
    search.callers++
    let abort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal!.reason)
    })
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await Promise.race([search.done, aborted])
    } finally {
      signal?.removeEventListener('abort', abort)
      search.callers--
      if (search.callers === 0 && !search.begun) this.#searches.delete(name)
    }
  }

  #enqueue(name: string): Search {
    const { promise: done, resolve, reject } = withResolvers<LookupAddress[]>()
    done.catch(() => {})
    const thread = this.#found.get(name) && !this.#slow.get(name) ? 'found before' : 'other'
    const search: Search = { name, thread, callers: 0, begun: false, done, resolve, reject }
    this.#searches.set(name, search)
    this.#begin(thread)
    return search
  }

  /** Starts the next search of a thread. Names that never timed out come first. */
  #begin(thread: Thread): void {
    if (this.#busy.has(thread)) return
    const waiting = [...this.#searches.values()].filter(search => search.thread === thread && !search.begun)
    const next = waiting.find(({ name }) => !this.#slow.get(name)) ?? waiting[0]
    if (!next) return
    next.begun = true
    this.#busy.add(thread)
    const timer = setTimeout(() => this.#timeOut(next), LIMIT_MS)
    this.lookup(next.name)
      .then(
        addresses => {
          this.#found.set(next.name, { addresses, at: this.now() })
          this.#slow.delete(next.name)
          next.resolve(addresses)
        },
        error => next.reject(error),
      )
      .finally(() => {
        clearTimeout(timer)
        if (this.#searches.get(next.name) === next) this.#searches.delete(next.name)
        this.#busy.delete(thread)
        this.#begin(thread)
      })
  }

  #timeOut(search: Search): void {
    const { name } = search
    const times = this.#slow.get(name)?.times ?? 0
    const refusedMs = Math.min(REFUSED_MS * 2 ** times, MAX_REFUSED_MS)
    this.#slow.set(name, { times: times + 1, until: this.now() + refusedMs })
    this.#searches.delete(name)
    this.#staleOrThrow(name).then(search.resolve, search.reject)
  }

  async #staleOrThrow(name: string): Promise<LookupAddress[]> {
    const found = this.#foundWithin(name, STALE_MS)
    if (found) return found
    this.#found.delete(name)
    throw new Error(`${name} could not be looked up in time`)
  }

  #foundWithin(name: string, ms: number): LookupAddress[] | null {
    const found = this.#found.get(name)
    return found && this.now() - found.at <= ms ? found.addresses : null
  }
}

const getaddrinfo: Lookup = name =>
  new Promise((resolve, reject) =>
    lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  )

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}
