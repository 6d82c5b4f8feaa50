import type pg from 'pg'
import { type Connection, connect, createPool, ORDINARY, type Timeouts } from './connection.js'
import type { KnownChecks } from './known-checks.js'
import { Plans } from './plans.js'

/** How many callers may wait for a connection before more are turned away. */
const WAITING_LIMIT = 10_000

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/**
 * At most `max` connections to one database, lent out in the order of asking. When one cannot be made, whoever
 * waits is told so at once: the next attempt is made for who asks next.
 */
export class Connections {
  readonly #pool: pg.Pool
  readonly #plans: Plans
  #free: number
  #lent = 0
  #waiting: Waiting[] = []

  constructor(
    url: string,
    max: number,
    readonly timeouts: Timeouts = ORDINARY,
    /** The checks that pings are taken for over these connections. */
    readonly known?: KnownChecks,
    /** Whether the plans of queries are kept; see decision 0112. */
    keepsPlansOfReads = false,
  ) {
    this.#plans = new Plans(keepsPlansOfReads)
    this.#pool = createPool(url, max, timeouts)
    // It may lead to a server that lacks the last transactions of the one before.
    this.#pool.on('connect', () => known?.clear())
    this.#free = max
  }

  /**
   * Lends a connection, which answers until `until`, to be given back with `giveBack`. Throws `ConnectionLost`, or
   * an error with code `BUSY`.
   */
  async take(until?: number): Promise<Connection> {
    await this.#turn()
    for (;;) {
      try {
        const connection = await connect(this.#pool, until, this.#plans)
        this.#lent++
        return connection
      } catch (error) {
        this.#free++
        // The server has no more to give: those that are lent out come back.
        if (isTooMany(error) && this.#lent > 0) await this.#wait()
        else {
          this.#refuseWaiting(error)
          throw error
        }
      }
    }
  }

  giveBack(connection: Connection): void {
    this.#lent--
    connection.release()
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#free++
  }

  #refuseWaiting(error: unknown): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { reject } of waiting) reject(error)
  }

  /** Closes all connections once they are given back. */
  async close(): Promise<void> {
    await this.#pool.end()
  }

  #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    if (this.#waiting.length >= WAITING_LIMIT) {
      const busy = new Error('too much is waiting for the database')
      return Promise.reject(Object.assign(busy, { code: 'BUSY' }))
    }
    return this.#wait()
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }
}

/** Whether the server refused a connection because it has as many as it may have (SQLSTATE 53300). */
function isTooMany(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300'
}
