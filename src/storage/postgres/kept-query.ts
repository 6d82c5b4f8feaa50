/**
 * A prepared statement whose columns are described only at its first run on a connection: for the row of a check, the
 * description costs the server and the driver more than the row.
 */
import pg from 'pg'

/** The parts of the driver's result that a description fills in. */
interface Columns {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** The parts of the driver's connection that its queries use. */
type Sender = Pick<pg.Connection, 'bind' | 'execute' | 'sync' | 'close' | 'describe'> & {
  parsedStatements: object
  submittedNamedStatements: object
}

type Callback = (error: Error | null, result: pg.QueryResult) => void

/** The driver's query, with the internal parts that are used here. */
interface DriverQuery extends pg.Submittable {
  readonly name?: string
  readonly text: string
  _result: Columns
  _accumulateRows: boolean
  prepare(sender: Sender): void
  handleCommandComplete(message: unknown, sender: Sender): void
}

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => DriverQuery

class KeptQuery extends DriverQuery {
  override prepare(sender: Sender): void {
    const { columns, quiet } = knownOf(sender)
    const known = this.name === undefined ? undefined : columns.get(this.name)
    if (known) {
      Object.assign(this._result, known)
      this._accumulateRows = true
    }
    super.prepare(known ? quiet : sender)
  }

  override handleCommandComplete(message: unknown, sender: Sender): void {
    super.handleCommandComplete(message, sender)
    const { columns } = knownOf(sender)
    if (this.name === undefined || columns.has(this.name) || !namesItsColumns(this.text)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Runs a statement. Rejects with the driver's errors. */
export function runKept<Row extends object>(
  client: pg.PoolClient,
  { query_timeout, ...config }: pg.QueryConfig & { query_timeout?: number },
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query = new KeptQuery(config, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(Object.assign(query, { query_timeout }))
  })
}

/**
 * Whether a statement's columns follow from its text. Behind a pooler, another process may have prepared the statement of
 * this name after a migration, and then `*` means more columns.
 */
function namesItsColumns(text: string): boolean {
  return !/[\s.]\*/.test(text)
}

/** The state of one connection. */
interface Known {
  /** By the statement's name. */
  columns: Map<string, Columns>
  /** Sends through the connection, but requests no description. */
  quiet: Sender
}

const known = new WeakMap<Sender, Known>()

function knownOf(sender: Sender): Known {
  let found = known.get(sender)
  if (!found) {
    found = { columns: new Map(), quiet: quietly(sender) }
    known.set(sender, found)
  }
  return found
}

function quietly(sender: Sender): Sender {
  const { parsedStatements, submittedNamedStatements } = sender
  return {
    parsedStatements,
    submittedNamedStatements,
    bind: (...sent) => sender.bind(...sent),
    execute: (...sent) => sender.execute(...sent),
    sync: () => sender.sync(),
    close: (...sent) => sender.close(...sent),
    describe: () => {},
  }
}
