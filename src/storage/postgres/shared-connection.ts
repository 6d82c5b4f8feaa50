import type { Connection } from './connection.js'

/** The maximum number of reads that use one connection at once. */
const MAX_USERS = 8

interface Lender {
  take(): Promise<Connection>
  giveBack(connection: Connection): void
}

interface Shared {
  connection: Promise<Connection>
  users: number
}

/**
 * Connections for short reads without a transaction. Several reads use one at once: their statements are sent together,
 * so the server and this process wake up less often.
 */
export class SharedConnection {
  #open: Shared | null = null

  constructor(private readonly lender: Lender) {}

  /** Runs a read on a connection that other reads may be using. */
  async use<T>(read: (connection: Connection) => Promise<T>): Promise<T> {
    const shared = this.#join()
    let connection: Connection | null = null
    try {
      connection = await shared.connection
      return await read(connection)
    } catch (error) {
      // The connection may be broken: a retry gets another one.
      this.#close(shared)
      throw error
    } finally {
      shared.users--
      if (shared.users === 0) this.#close(shared)
      if (shared.users === 0 && connection) this.lender.giveBack(connection)
    }
  }

  #join(): Shared {
    if (!this.#open || this.#open.users >= MAX_USERS)
      this.#open = { connection: this.lender.take(), users: 0 }
    this.#open.users++
    return this.#open
  }

  /** From now on, no read joins. */
  #close(shared: Shared): void {
    if (this.#open === shared) this.#open = null
  }
}
