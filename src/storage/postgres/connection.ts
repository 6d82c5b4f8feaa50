import { createHash } from 'node:crypto'
/** Connections to PostgreSQL: how values cross, and what a failing connection throws. */
import pg from 'pg'

/** How long connecting may take, and one statement. Then the caller is told to come again. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

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
export function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'punctual',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
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

/** A connection of the pool. Throws `ConnectionLost`. */
export async function connect(pool: pg.Pool, plans: Plans = { kept: true }): Promise<Connection> {
  try {
    return new Connection(await pool.connect(), plans)
  } catch (error) {
    throw connectionError(error)
  }
}

/** Whether a pool's connections keep plans: until it turns out that something in between loses them. */
export interface Plans {
  kept: boolean
}

/** One connection, lent out by the pool. */
export class Connection {
  #lost: Error | null = null

  constructor(
    readonly client: pg.PoolClient,
    private readonly plans: Plans,
  ) {}

  /** Runs one statement. Throws what the server said (`pg.DatabaseError`), or `ConnectionLost`. */
  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    return await this.#told(this.client.query<Row>(text, values?.map(toParameter)))
  }

  /**
   * Runs a statement whose plan the server keeps with the connection. `values` are passed as they are. Throws as
   * `query` does; where the plan is gone (`isPlanLost`), no further plans are kept and another try succeeds.
   */
  async prepared<Row extends object>(text: string, values: string[]): Promise<pg.QueryResult<Row>> {
    if (!this.plans.kept) return await this.query<Row>(text, values)
    try {
      return await this.#told(this.client.query<Row>({ name: planName(text), text, values }))
    } catch (error) {
      if (isPlanLost(error)) this.plans.kept = false
      throw error
    }
  }

  /** Runs one query and returns its rows as arrays of their columns. Throws as `query` does. */
  async arrays(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const query = { text, values: values.map(toParameter), rowMode: 'array' as const }
    return (await this.#told(this.client.query(query))).rows
  }

  async #told<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      const told = connectionError(error)
      if (told instanceof ConnectionLost) this.#lost = told
      throw told
    }
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
  return error.code === '26000' || error.code === '42P05' || /cached plan/.test(error.message)
}

/** Another text has another name, so that no process can run what another version has prepared. */
function planName(text: string): string {
  let name = planNames.get(text)
  if (name === undefined) {
    name = `punctual_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    planNames.set(text, name)
  }
  return name
}

const planNames = new Map<string, string>()

/** What the driver throws when the server did not say it is a matter of the connection. */
function connectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error
  return new ConnectionLost(error)
}

/** PostgreSQL's texts cannot hold the character 0: it becomes the replacement character. */
export function toParameter(value: unknown): unknown {
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
