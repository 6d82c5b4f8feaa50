/** Connections to PostgreSQL: the conversion of values, and the errors of a failing connection. */
import pg from 'pg'
import type { OnPackedRow } from '../dialect.js'
import { copyLines, type OnRow, type Parser, readValues, toRow } from './copied-rows.js'
import { runKept } from './kept-query.js'
import { Plans } from './plans.js'

/** The time limits of connecting and of one statement. After that, the caller is asked to try again later. */
export interface Timeouts {
  connectMs: number
  statementMs: number
  /** The time limit of a transaction, including connecting and retries; absent: the limits of its statements apply. */
  transactionMs?: number
}

/** The usual limits. Some statements take long: those of migrations, reports and pruning. */
export const ORDINARY: Timeouts = { connectMs: 5_000, statementMs: 30_000 }

/** The database cannot be reached, or the connection was lost. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'GONE'
  /** Whether it failed by timeout: then a retry would take as long. */
  readonly timedOut: boolean

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message || String(Object(cause).code) : String(cause)
    super(`the database cannot be reached: ${reason}`, { cause })
    this.timedOut = /time(d |)out/i.test(reason)
  }
}

/**
 * A pool of connections to the database at `url`, opened on demand. Statements are sent without waiting for the
 * answers to earlier ones. Nothing on the server outlives a transaction, so that a pooler can be used.
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
  // The pool replaces a lost connection; callers get the error from their statements.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** A connection of the pool, usable until `until` (of `performance.now()`). Throws `ConnectionLost`. */
export async function connect(
  pool: pg.Pool,
  until = Number.POSITIVE_INFINITY,
  plans = new Plans(),
): Promise<Connection> {
  try {
    return new Connection((await pool.connect()) as Connection['client'], until, plans)
  } catch (error) {
    throw connectionError(error)
  }
}

/** One connection of the pool. */
export class Connection {
  #lost: ConnectionLost | null = null
  #failed: unknown = null
  #isUnlimited = false
  #isOver = false
  #isCorked = false

  constructor(
    readonly client: pg.PoolClient & { readonly connection: pg.Connection },
    readonly until: number,
    private readonly plans: Plans,
  ) {}

  /**
   * Runs one statement. Throws the server's error (`pg.DatabaseError`), or `ConnectionLost`. A connection for
   * reading keeps the plan of a repeated statement; if the plan is lost (`isPlanLost`), no more plans are
   * kept, and a retry succeeds.
   */
  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    if (!values) return await this.#translateErrors(limit => this.client.query<Row>({ text, ...limit }))
    return await this.#run<Row>({ text, values: values.map(toParameter), ...this.plans.namedRead(text) })
  }

  /**
   * Ends the transaction. From then on all statements are refused: those that a method still sends after
   * another of its statements failed would run outside the transaction.
   */
  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<{ command: string }> {
    const ended = this.query(how)
    this.#isOver = true
    return await ended
  }

  /** As `query`; returns each row as an array of its columns. */
  async arrays(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const query = { text, values: values.map(toParameter), rowMode: 'array', ...this.plans.namedRead(text) }
    return (await this.#run(query)).rows as unknown as unknown[][]
  }

  /**
   * As `arrays` for a long result: passes each row to `onRow` when it arrives, since the rows of a long list, kept together,
   * cost the garbage collector more than all else. `values` are whole numbers. Throws the first error of `onRow` too.
   */
  async each(text: string, values: readonly unknown[], onRow: OnRow): Promise<void> {
    const parsers = await this.#parsersOf(text, values)
    await this.#eachLine(text, values, line => onRow(toRow(line, parsers)))
  }

  /** As `each`; all columns but the first `apart` are passed as the server's line has them. */
  async eachPacked(
    text: string,
    values: readonly unknown[],
    apart: number,
    onRow: OnPackedRow,
  ): Promise<void> {
    const parsers = await this.#parsersOf(text, values)
    const first = parsers.slice(0, apart)
    const others = parsers.slice(apart)
    const unpack = (packed: string) => toRow(packed, others)
    await this.#eachLine(text, values, line => {
      const row: unknown[] = []
      const end = readValues(line, first, row)
      onRow(row, line.slice(end), unpack)
    })
  }

  async #eachLine(text: string, values: readonly unknown[], onLine: (line: string) => void): Promise<void> {
    const failures: unknown[] = []
    const take = (line: string) => {
      if (failures.length > 0) return
      try {
        onLine(line)
      } catch (error) {
        failures.push(error)
      }
    }
    await this.#translateErrors(limit => copyLines(this.client, { text, values, ...limit }, take))
    if (failures.length > 0) throw failures[0]
  }

  /** Asks the server for the columns of a query once for each process. */
  async #parsersOf(text: string, values: readonly unknown[]): Promise<readonly Parser[]> {
    let parsers = parsersByText.get(text)
    if (!parsers) {
      const { fields } = await this.query(`SELECT * FROM (${text}) AS described LIMIT 0`, values)
      parsers = fields.map(({ dataTypeID }) => getTypeParser(dataTypeID))
      parsersByText.set(text, parsers)
    }
    return parsers
  }

  /** As `query`, for a statement whose plan is kept on every connection. `values` are passed unchanged. */
  async prepared<Row extends object>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    return await this.#run<Row>({ text, values: [...values], ...this.plans.named(text) })
  }

  async #run<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#translateErrors(limit =>
        query.name
          ? runKept<Row>(this.client, { ...query, ...limit })
          : this.client.query<Row>({ ...query, ...limit }),
      )
    } catch (error) {
      if (isPlanLost(error)) this.plans.lost()
      throw error
    }
  }

  async #translateErrors<T>(ask: (limit: { query_timeout?: number }) => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error('the transaction is over')
    try {
      this.#cork()
      return await ask(this.#limit())
    } catch (error) {
      const translated = connectionError(error)
      if (!(translated instanceof ConnectionLost)) {
        if (!isAborted(translated)) this.#failed = translated
        if (isClosing(translated)) this.#lost ??= new ConnectionLost(translated)
        throw translated
      }
      // The driver closes a connection whose answer is late, so later statements only learn that it was closed.
      this.#lost ??= translated
      throw this.#lost
    }
  }

  /**
   * Why a statement failed, once all that were sent are answered: if one failed before it in its transaction, the error of that one.
   * Where statements do not wait for answers, either error may be noticed first.
   */
  causeOf(error: unknown): unknown {
    return isAborted(error) ? (this.#failed ?? error) : error
  }

  /** Sends all statements of one turn of the event loop in one write, so that the server wakes up once. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  /** The remaining time; without a limit for the transaction, the pool's limit applies. Throws if no time is left. */
  #limit(): { query_timeout?: number } {
    if (this.#isUnlimited) return { query_timeout: ORDINARY.statementMs }
    if (this.until === Number.POSITIVE_INFINITY) return {}
    const left = Math.ceil(this.until - performance.now())
    if (left <= 0) throw new Error('timed out')
    return { query_timeout: left }
  }

  /** From now on each statement has the usual time limit. */
  liftTimeLimit(): void {
    this.#isUnlimited = true
  }

  /** Closes it instead of returning it to the pool. */
  discard(): void {
    this.client.release(true)
  }

  /** Returns the connection to the pool, or discards it if it was lost. */
  release(): void {
    this.client.release(this.#lost ?? undefined)
  }
}

/**
 * Whether a statement failed because its plan is lost: another server is behind the connection, as with a pooler, or
 * its columns have changed, as in an upgrade.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code === '26000' || error.code === '42P05') return true
  // The message depends on the server's language; the name of the routine does not.
  return error.routine === 'RevalidateCachedQuery' || /cached plan/.test(error.message)
}

/**
 * Whether an error says that the server (57P01, 57P02), or PgBouncer when the server behind it is gone (08P01), closes the
 * connection.
 */
export function isClosing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(57P0[12]|08P01)$/.test(error.code ?? '')
}

/** Converts errors of the driver: what did not come from the server is a lost connection. */
function connectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error
  return new ConnectionLost(error)
}

/** PostgreSQL cannot store the character 0 in texts: it becomes the replacement character. */
export function toParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toParameter)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

const BOOL = 16
const BYTEA = 17
/** The integers of 8, 2 and 4 bytes, and NUMERIC. */
const NUMBERS = [20, 21, 23, 1700]

/** Values arrive as from SQLite: all numbers as numbers, booleans as 0 or 1, plain bytes. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (NUMBERS.includes(oid)) return Number
  if (oid === BOOL) return value => (value === 't' ? 1 : 0)
  if (oid === BYTEA) return value => new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  return pg.types.getTypeParser(oid, format as 'text')
}

/** Of the queries whose results are passed on row by row. */
const parsersByText = new Map<string, readonly Parser[]>()

/** Whether a statement failed only because one before it in its transaction had (25P02). */
function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02'
}
