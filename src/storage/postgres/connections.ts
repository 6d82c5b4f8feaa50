import type pg from 'pg'
import type { CheckServers } from './citus/shards.js'
import { type Connection, connect, createPool, ORDINARY, type Timeouts } from './connection.js'
import type { KnownChecks } from './known-checks.js'
import { Plans } from './plans.js'
import { ReplacedConnections } from './replaced-connections.js'
import { SharedConnection } from './shared-connection.js'

/** The maximum number of callers that may wait for a connection. */
const QUEUE_LIMIT = 10_000

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/**
 * At most `max` connections to one database, given out in the order of requests. If connecting fails, all waiting
 * callers get the error at once; the next request tries again.
 */
export class Connections {
  readonly #pool: pg.Pool
  readonly #plans: Plans
  /** For short reads without a transaction. */
  readonly shared = new SharedConnection(this)
  #free: number
  readonly #lent = new Set<Connection>()
  #waiting: Waiting[] = []

  constructor(
    url: string,
    max: number,
    readonly timeouts: Timeouts = ORDINARY,
    /** The cached checks of pings that use these connections. */
    readonly known?: KnownChecks,
    /** Whether the plans of queries are kept; see decision 0112. */
    keepsPlansOfReads = false,
    /** The servers that have the rows of checks, if Citus distributes them. */
    readonly workers?: CheckServers,
    /** Shared by all that lead to the same database. */
    private readonly replaced = new ReplacedConnections<object>(),
  ) {
    this.#plans = new Plans(keepsPlansOfReads)
    this.#pool = createPool(url, max, timeouts)
    // The new connection may lead to a server that lacks the last transactions of the one before.
    this.#pool.on('connect', client => {
      replaced.opened(client)
      known?.clear()
    })
    this.#free = max
  }

  /**
   * Takes a connection, usable until `until`; return it with `giveBack`. Throws `ConnectionLost`, or
   * an error with code `BUSY`.
   */
  async take(until?: number): Promise<Connection> {
    await this.#turn()
    for (;;) {
      try {
        const connection = await connect(this.#pool, until, this.#plans)
        if (this.replaced.isOld(connection.client)) {
          connection.discard()
          continue
        }
        this.#lent.add(connection)
        return connection
      } catch (error) {
        // The server allows no more connections: use one that was returned meanwhile, or wait for one that is in use.
        if (isTooMany(error) && this.#pool.idleCount > 0) continue
        this.#free++
        if (isTooMany(error) && this.#lent.size > 0) await this.#wait()
        else {
          this.#refuseWaiting(error)
          throw error
        }
      }
    }
  }

  giveBack(connection: Connection): void {
    this.#lent.delete(connection)
    connection.release()
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#free++
  }

  /** A transaction that writes failed, or (null) was committed: see {@link ReplacedConnections}. */
  noteWrite(error: unknown): void {
    if (error === null) this.replaced.wrote()
    else if (isReadOnly(error)) this.replaced.refused()
  }

  #refuseWaiting(error: unknown): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { reject } of waiting) reject(error)
  }

  /** Breaks the connections that are in use, so that their transactions fail with `ConnectionLost`, and closes. */
  async abandon(): Promise<void> {
    const closed = this.close()
    for (const { client } of this.#lent) client.connection.stream.destroy()
    await closed
  }

  /** Closes all connections once they are returned. */
  async close(): Promise<void> {
    await this.#pool.end()
  }

  #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    if (this.#waiting.length >= QUEUE_LIMIT) {
      const busy = new Error('too much is waiting for the database')
      return Promise.reject(Object.assign(busy, { code: 'BUSY' }))
    }
    return this.#wait()
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }
}

/** Whether a write was refused because its transaction is read-only (SQLSTATE 25006). */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006'
}

/** Whether the server has reached its limit of connections (SQLSTATE 53300). */
function isTooMany(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300'
}
