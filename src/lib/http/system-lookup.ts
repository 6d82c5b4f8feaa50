/**
 * Names that only the system knows, looked up by `getaddrinfo` in the four threads that hash passwords as well. A
 * look-up cannot be stopped, so it keeps its thread however long it takes: names that were found before have one
 * thread, and all others another. Decision 0103.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { RecentMap } from '../recent-map.js'

/** After so long a look-up has failed for those who wait for it. */
const LIMIT_MS = 2_000
/** For so long what was found is answered at once, and, while the system does not answer, still answered. */
const FRESH_MS = 10_000
const STALE_MS = 600_000
/** For so long a name that took too long is refused at once: twice as long with each time in a row, up to the most. */
const REFUSED_MS = 60_000
const REFUSED_MOST_MS = 600_000
const REMEMBERED = 10_000

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
  readonly #found = new RecentMap<string, { addresses: LookupAddress[]; at: number }>(REMEMBERED)
  readonly #slow = new RecentMap<string, { times: number; until: number }>(REMEMBERED)

  /** `now` is in ms. */
  constructor(
    private readonly lookup: Lookup = getaddrinfo,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** All addresses of `name`. Rejects when there are none or the system does not say so in time, or with the signal's reason. */
  async find(name: string, signal?: AbortSignal): Promise<LookupAddress[]> {
    signal?.throwIfAborted()
    const found = this.#foundWithin(name, FRESH_MS)
    if (found) return found
    if (this.now() < (this.#slow.get(name)?.until ?? 0)) return this.#stale(name)
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

  /** Begins the next search of a thread: names that never took too long first. */
  #begin(thread: Thread): void {
    if (this.#busy.has(thread)) return
    const waiting = [...this.#searches.values()].filter(search => search.thread === thread && !search.begun)
    const next = waiting.find(({ name }) => !this.#slow.get(name)) ?? waiting[0]
    if (!next) return
    next.begun = true
    this.#busy.add(thread)
    const timer = setTimeout(() => this.#tookTooLong(next), LIMIT_MS)
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

  #tookTooLong(search: Search): void {
    const { name } = search
    const times = this.#slow.get(name)?.times ?? 0
    const refusedMs = Math.min(REFUSED_MS * 2 ** times, REFUSED_MOST_MS)
    this.#slow.set(name, { times: times + 1, until: this.now() + refusedMs })
    this.#searches.delete(name)
    this.#stale(name).then(search.resolve, search.reject)
  }

  async #stale(name: string): Promise<LookupAddress[]> {
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
