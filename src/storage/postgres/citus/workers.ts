/** The workers of Citus that this process records pings on, without the coordinator. */
import type { Timeouts } from '../connection.js'
import { Connections } from '../connections.js'
import type { KnownChecks } from '../known-checks.js'
import type { Shards, Worker } from './shards.js'

/** How often (ms) it is asked where the shards are. Until then, a worker passes on what concerns a shard that it has lost. */
const SHARDS_LAST_MS = 10_000

interface WorkersOptions {
  /** The address of the coordinator; workers have the same user, password and database. */
  url: string
  shards: Shards
  /** The number of connections to each. */
  connections: number
  timeouts: Timeouts
  known: KnownChecks
  /** Reads where the shards are now. */
  refresh(): Promise<void>
}

export class Workers {
  readonly #open = new Map<string, Connections>()
  #refreshedAt = performance.now()
  #refreshing = false

  constructor(private readonly options: WorkersOptions) {}

  get shards(): Shards {
    return this.options.shards
  }

  /** The connections to a worker, opened on demand. */
  to({ host, port }: Worker): Connections {
    const { url, connections, timeouts, known, shards } = this.options
    const address = new URL(url)
    address.hostname = host.includes(':') ? `[${host}]` : host
    address.port = String(port)
    let open = this.#open.get(address.href)
    if (!open) {
      open = new Connections(address.href, connections, timeouts, known, false, shards)
      this.#open.set(address.href, open)
    }
    return open
  }

  /** Asks where the shards are, if that was long ago or, with `now`, because a worker does not answer. Does not wait. */
  refresh(now = false): void {
    if (this.#refreshing || (!now && performance.now() - this.#refreshedAt < SHARDS_LAST_MS)) return
    this.#refreshing = true
    this.options.refresh().then(
      () => {
        this.#refreshing = false
        this.#refreshedAt = performance.now()
      },
      // Asked again with the next pings.
      () => {
        this.#refreshing = false
      },
    )
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(connections => connections.close()))
  }
}
