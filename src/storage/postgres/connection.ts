/** Connections to PostgreSQL: how values cross, and what a failing connection throws. */
import pg from 'pg'
import { Plans } from './plans.js'

/** How long connecting may take, and one statement. Then the caller is told to come again. */
export interface Timeouts {
  connectMs: number
  statementMs: number
  /** How long a transaction may take in all, connecting and repeats included; absent where its statements say it. */
  transactionMs?: number
}

/** Some statements have much to do: those of migrations, of reports, of forgetting. */
export const ORDINARY: Timeouts = { connectMs: 5_000, statementMs: 30_000 }

/** The database cannot be reached, or the connection to it broke. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'GONE'
  /** Whether this is known only because no answer came for too long: then another try would take as long. */
  readonly timedOut: boolean

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message || String(Object(cause).code) : String(cause)
    super(`the database cannot be reached: ${reason}`, { cause })
    this.timedOut = /time(d |)out/i.test(reason)
  }
}

/**
 * Connections to the database at `url`, opened when they are needed. Statements are sent without waiting for the
 * answer to the one before. Nothing outlives a transaction on the server, so that a pooler may stand between.
 */
export function createPool(url: string, max: number, timeouts = ORDINARY): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'punctual',
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.statementMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
  })
  // A connection that breaks is replaced by the pool; whoever needs the database finds out by asking.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/**
 * A connection of the pool, which answers until `until` (of `performance.now()`). Throws `ConnectionLost`.
 */
export async function connect(
  pool: pg.Pool,
  until = Number.POSITIVE_INFINITY,
  plans = new Plans(),
): Promise<Connection> {
  try {
    return new Connection(await pool.connect(), until, plans)
  } catch (error) {
    throw connectionError(error)
  }
}

/** One connection, lent out by the pool. */
export class Connection {
  #lost: ConnectionLost | null = null
  #takesTime = false

  constructor(
    readonly client: pg.PoolClient,
    readonly until: number,
    private readonly plans: Plans,
  ) {}

  /**
   * Runs one statement. Throws what the server said (`pg.DatabaseError`), or `ConnectionLost`. A connection for reading
   * keeps the plan of a text that comes again; where that is gone (`isPlanLost`), no further plans are kept and another try
   * succeeds.
   */
  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    if (!values) return await this.#told(limit => this.client.query<Row>({ text, ...limit }))
    return await this.#run<Row>({ text, values: values.map(toParameter), ...this.plans.namedRead(text) })
  }

  /** As `query`; returns each row as an array of its columns. */
  async arrays(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const query = { text, values: values.map(toParameter), rowMode: 'array', ...this.plans.namedRead(text) }
    return (await this.#run(query)).rows as unknown as unknown[][]
  }

  /** As `query`, for a statement whose plan is kept on every connection. `values` are passed as they are. */
  async prepared<Row extends object>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    return await this.#run<Row>({ text, values: [...values], ...this.plans.named(text) })
  }

  async #run<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#told(limit => this.client.query<Row>({ ...query, ...limit }))
    } catch (error) {
      if (isPlanLost(error)) this.plans.lost()
      throw error
    }
  }

  async #told<T>(ask: (limit: { query_timeout?: number }) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#limit())
    } catch (error) {
      const told = connectionError(error)
      if (!(told instanceof ConnectionLost)) throw told
      // The driver ends a connection whose answer is late, so what is behind it only hears that it ended.
      this.#lost ??= told
      throw this.#lost
    }
  }

  /** What is left of the time; where nothing is said of the whole, the pool's. Throws when none is left. */
  #limit(): { query_timeout?: number } {
    if (this.#takesTime) return { query_timeout: ORDINARY.statementMs }
    if (this.until === Number.POSITIVE_INFINITY) return {}
    const left = Math.ceil(this.until - performance.now())
    if (left <= 0) throw new Error('timed out')
    return { query_timeout: left }
  }

  /** From now on each statement has the time that ordinary ones have. */
  liftTimeLimit(): void {
    this.#takesTime = true
  }

  /** Gives the connection back, or throws it away when it broke. */
  release(): void {
    this.client.release(this.#lost ?? undefined)
  }
}

/**
 * Whether a statement failed because the server behind the connection is not the one that was given it, as behind
 * a pooler, or because its columns have changed since, as in an upgrade.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code === '26000' || error.code === '42P05') return true
  // The words depend on the server's language, the place in its source does not.
  return error.routine === 'RevalidateCachedQuery' || /cached plan/.test(error.message)
}

/** What the driver throws when the server did not say it is a matter of the connection. */
function connectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error
  return new ConnectionLost(error)
}

/** PostgreSQL's texts cannot hold the character 0: it becomes the replacement character. */
export function toParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toParameter)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

const BOOL = 16
const BYTEA = 17
const INT8 = 20
const NUMERIC = 1700

/** Values arrive as SQLite would give them: all numbers as numbers, 0/1 for booleans, plain bytes. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8 || oid === NUMERIC) return Number
  if (oid === BOOL) return value => (value === 't' ? 1 : 0)
  if (oid === BYTEA) return value => new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  return pg.types.getTypeParser(oid, format as 'text')
}
