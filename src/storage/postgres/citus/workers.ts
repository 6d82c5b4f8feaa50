/** The workers of Citus that this process uses without the coordinator. */
import { RecentMap } from '../../../lib/recent-map.js'
import type { StoreSettings } from '../../db.js'
import { hadNoAnswer, isUnavailable } from '../../errors.js'
import { PartAway } from '../../pings/recording/part-away.js'
import { REMEMBERED_CHECKS } from '../../remembered.js'
import { type Connection, ConnectionLost, type Timeouts } from '../connection.js'
import { Connections } from '../connections.js'
import type { KnownChecks } from '../known-checks.js'
import { type PostgresDb, write } from '../transaction.js'
import type { CheckServers, Shards, Worker } from './shards.js'

/** How often (ms) it is asked where the shards are. Until then, a worker passes on what concerns a shard that it has lost. */
const SHARDS_LAST_MS = 10_000

/** How long (ms) a worker may take to say which of its checks are to be judged; those of others wait for it. */
const WATCH_TIMEOUTS: Timeouts = { connectMs: 1_000, statementMs: 2_000 }

/** How long (ms) a worker that did not answer is not asked; while its pings fail, it is probed each second. */
const LEAVE_ALONE_MS = 5_000

/**
 * The longest time (ms) of a batch: pings of other workers wait for one that does not answer, and so do those behind them, whose
 * senders wait ten seconds.
 */
const BATCH_MS = 4_000

interface WorkersOptions {
  /** The address of the coordinator. */
  url: string
  shards: Shards
  /** The number of connections to each. */
  connections: number
  timeouts: Timeouts
  known: KnownChecks
  /** Reads where the shards are now. */
  refresh(): Promise<void>
}

export class Workers implements CheckServers {
  /** The IDs of checks by their UUIDs, which never change. */
  readonly ids = new RecentMap<string, number>(REMEMBERED_CHECKS)
  readonly #open = new Map<string, Connections>()
  /** Until when (of `performance.now()`) workers are left alone, by their addresses: by pings, and by what is asked again soon. */
  readonly #silent = new Map<string, number>()
  readonly #unwatched = new Map<string, number>()
  #refreshedAt = performance.now()
  #refreshing = false

  constructor(private readonly options: WorkersOptions) {}

  get shards(): Shards {
    return this.options.shards
  }

  /** The connections for pings to a worker, opened on demand. */
  to(worker: Worker): Connections {
    return this.#connect(worker, this.options.connections, this.options.timeouts)
  }

  /** When a batch that begins now has to end (of `performance.now()`). */
  endOfBatch(): number {
    return performance.now() + BATCH_MS
  }

  /** Throws if a worker did not answer a moment ago: nothing should wait for it again. */
  requireAnswers(worker: Worker): void {
    if (this.#isIn(this.#silent, worker)) throw new ConnectionLost(new Error('a worker did not answer'))
  }

  /** Why a worker did not record pings. If it is away, it is asked where its shards are now; if it hangs, it is left alone. */
  errorOf(worker: Worker, error: Error): Error {
    if (!isUnavailable(error)) return error
    if (hadNoAnswer(error)) this.#leaveAlone(this.#silent, worker)
    this.refresh(true)
    return new PartAway(worker.part, error)
  }

  /** Runs a writing method on a worker to find out whether it records pings. */
  async probe(
    worker: Worker,
    settings: StoreSettings,
    method: (db: PostgresDb) => Promise<void>,
  ): Promise<void> {
    try {
      const until = performance.now() + WATCH_TIMEOUTS.statementMs
      await write(this.#connect(worker, 1, WATCH_TIMEOUTS), settings, method, [], { until })
      this.#silent.delete(this.#addressOf(worker))
    } catch (error) {
      if (isUnavailable(error)) {
        this.#leaveAlone(this.#silent, worker)
        this.refresh(true)
      }
      throw error
    }
  }

  isSilent(worker: Worker): boolean {
    return this.#isIn(this.#silent, worker) || this.#isIn(this.#unwatched, worker)
  }

  #isIn(times: ReadonlyMap<string, number>, worker: Worker): boolean {
    return performance.now() < (times.get(this.#addressOf(worker)) ?? 0)
  }

  #leaveAlone(times: Map<string, number>, worker: Worker): void {
    times.set(this.#addressOf(worker), performance.now() + LEAVE_ALONE_MS)
  }

  /**
   * Asks a worker something about its checks that is soon asked again: there is no answer if it is slow or cannot be reached.
   * Pings have more time, so they are not refused because of that.
   */
  async watch<R extends object>(
    worker: Worker,
    ask: (connection: Connection) => Promise<{ rows: R[] }>,
  ): Promise<{ rows: R[] }> {
    return await this.ask(worker, ask, async () => ({ rows: [] }))
  }

  async ask<R>(
    worker: Worker,
    ask: (connection: Connection) => Promise<R>,
    otherwise: () => Promise<R>,
  ): Promise<R> {
    if (this.isSilent(worker)) return await otherwise()
    try {
      return await this.#connect(worker, 1, WATCH_TIMEOUTS).shared.use(ask)
    } catch (error) {
      // Another error is that of a shard which was moved away.
      if (isUnavailable(error)) this.#leaveAlone(this.#unwatched, worker)
      this.refresh(true)
      return await otherwise()
    }
  }

  #connect(worker: Worker, count: number, timeouts: Timeouts): Connections {
    const key = `${this.#addressOf(worker)} ${timeouts === WATCH_TIMEOUTS ? 'watch' : 'pings'}`
    let open = this.#open.get(key)
    if (!open) {
      const known = timeouts === WATCH_TIMEOUTS ? undefined : this.options.known
      open = new Connections(this.#addressOf(worker), count, timeouts, known, false, this)
      this.#open.set(key, open)
    }
    return open
  }

  /** Workers have the user, password and database of the coordinator. */
  #addressOf({ host, port }: Worker): string {
    const address = new URL(this.options.url)
    address.hostname = host.includes(':') ? `[${host}]` : host
    address.port = String(port)
    return address.href
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
