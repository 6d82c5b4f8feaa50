import type pg from 'pg'
import { type Connection, connect, createPool, ORDINARY, type Patience, type Plans } from './connection.js'
import type { KnownChecks } from './known-checks.js'

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
  readonly #plans: Plans = { kept: true }
  #free: number
  #waiting: Waiting[] = []

  constructor(
    url: string,
    max: number,
    readonly patience: Patience = ORDINARY,
    /** The checks that pings are taken for over these connections. */
    readonly known?: KnownChecks,
  ) {
    this.#pool = createPool(url, max, patience)
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
    try {
      return await connect(this.#pool, until, this.#plans)
    } catch (error) {
      const waiting = this.#waiting
      this.#waiting = []
      for (const { reject } of waiting) reject(error)
      this.#free++
      throw error
    }
  }

  giveBack(connection: Connection): void {
    connection.release()
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#free++
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
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }
}
