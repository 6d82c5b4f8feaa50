/**
 * The rows of a long result, fetched by `COPY … TO STDOUT`: each is one line of text, which costs the server and the
 * driver half as much as a row of separate values.
 */
import pg from 'pg'

/** Takes a row as soon as it arrives. */
export type OnRow = (row: unknown[]) => void

/** Converts a value's text as the driver does for its column. */
export type Parser = (text: string) => unknown

/** The part of the driver's query that is used here, the message for a row, and the connection that it came on. */
interface DriverQuery extends pg.Submittable {
  handleCopyData(message: { chunk: Buffer }, connection: pg.Connection): void
}

type Callback = (error: Error | null) => void

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => DriverQuery

class CopyQuery extends DriverQuery {
  #isPaused = false

  constructor(
    text: string,
    callback: Callback,
    private readonly onLine: (line: string) => void,
  ) {
    super({ text }, callback)
  }

  /** The server sends one row in each message. */
  override handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection): void {
    this.#letOthersRun(stream)
    this.onLine(chunk.toString('utf8', 0, chunk.length - 1))
  }

  /**
   * Node.js would read up to 32 pieces of 64 kB from a connection before it looks at another one: a few long lists, one after the other, made pings
   * wait for seconds. So the next piece is read when everything else has had its turn.
   */
  #letOthersRun(stream: pg.Connection['stream']): void {
    if (this.#isPaused) return
    this.#isPaused = true
    stream.pause()
    setImmediate(() => {
      this.#isPaused = false
      stream.resume()
    })
  }
}

/** A query whose parameters are whole numbers, to be copied; COPY has no parameters. */
export interface CopiedQuery {
  text: string
  values: readonly unknown[]
  query_timeout?: number
}

/** Passes the line of each row of a query to `onLine`, which must not throw. Rejects with the driver's errors. */
export function copyLines(
  client: pg.PoolClient,
  query: CopiedQuery,
  onLine: (line: string) => void,
): Promise<void> {
  const { values, query_timeout } = query
  const text = query.text.replace(/\$(\d+)/g, (_, place) => wholeNumber(values[place - 1]))
  return new Promise((resolve, reject) => {
    const done: Callback = error => (error ? reject(error) : resolve())
    const copy = new CopyQuery(`COPY (${text}) TO STDOUT`, done, onLine)
    client.query(Object.assign(copy, { query_timeout }))
  })
}

function wholeNumber(value: unknown): string {
  if (!Number.isSafeInteger(value)) throw new TypeError('only whole numbers can be parameters of COPY')
  return `(${value})`
}

/** The values of a line, with a parser for each of its columns. */
export function toRow(line: string, parsers: readonly Parser[]): unknown[] {
  const row: unknown[] = []
  readValues(line, parsers, row)
  return row
}

/**
 * Adds as many values of a line in the text format of COPY as there are parsers to `row`, and returns where the next one begins.
 * Source: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
export function readValues(line: string, parsers: readonly Parser[], row: unknown[]): number {
  let from = 0
  for (const parse of parsers) {
    const tab = line.indexOf('\t', from)
    const to = tab === -1 ? line.length : tab
    const value = line.slice(from, to)
    row.push(value === '\\N' ? null : parsed(value, parse))
    from = to + 1
  }
  return from
}

function parsed(value: string, parse: Parser): unknown {
  // Numbers have no escapes.
  return parse(parse !== Number && value.includes('\\') ? unescaped(value) : value)
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter)
}
