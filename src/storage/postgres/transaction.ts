/** A store method in a transaction of its own: begun, committed, tried again where that is safe. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Db, StoreSettings } from '../db.js'
import type { Tables } from '../tables.js'
import { type Connection, ConnectionLost, isPlanLost, type Timeouts } from './connection.js'
import type { Connections } from './connections.js'
import { type OwnDialect, postgresDialect } from './dialect.js'
import { listsAsArrays } from './lists-as-arrays.js'

/** What a writing method works with here. */
export interface PostgresDb extends Db {
  dialect: OwnDialect
  sendWithCommit(write: Promise<unknown>): void
}

export type AnyMethod = (db: Db, ...args: unknown[]) => Promise<unknown>

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** How often a transaction is tried, and how long at most before the first repeat (ms). */
const TRIES = 6
const FIRST_PAUSE_MS = 20

/** A lock is waited for so much shorter than an answer (ms), so that the connection is not lost over it. */
const LOCK_SOONER_MS = 1_000

/**
 * A process that froze or vanished in mid-transaction must not keep its locks, and one that has hung up must not wait
 * for one: the server does not notice that by itself.
 */
function beginWrite({ statementMs }: Timeouts, locally: Locally): string {
  const lock_timeout = statementMs - LOCK_SOONER_MS
  const parameters = { idle_in_transaction_session_timeout: 15_000, lock_timeout, ...locally }
  return ['BEGIN', ...Object.entries(parameters).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join(
    '; ',
  )
}

/** The server's parameters for one transaction. */
type Locally = Readonly<Record<string, string | number>>

/** By when it has to be over (of `performance.now()`), if not by its timeouts, and what is different on the server. */
export interface How {
  until?: number
  locally?: Locally
}

/**
 * Runs a writing method in a transaction and returns what it returns once that is committed. Deadlocks and
 * serialisation failures are tried again, and so are a transaction whose plan is gone and one whose connection broke
 * before its commit was asked for; when it breaks later, nobody knows whether it was committed, and the error is thrown.
 * Where a whole transaction has its time, nothing is sent once that is over.
 */
export async function write(
  connections: Connections,
  settings: StoreSettings,
  method: (db: PostgresDb, ...args: unknown[]) => Promise<unknown>,
  args: unknown[],
  how: How = {},
): Promise<unknown> {
  const { timeouts } = connections
  const until = how.until ?? endOf(timeouts)
  const begin = beginWrite(timeouts, how.locally ?? {})
  for (let tries = 1; ; tries++) {
    const connection = await connections.take(until)
    let ended: Promise<{ command: string }> | null = null
    const sent: Promise<unknown>[] = []
    const sendWithCommit = (result: Promise<unknown>) => {
      result.catch(() => {})
      sent.push(result)
    }
    // Not waited for: the first statement goes out with it. It fails only where the connection is lost as well.
    const begun = connection.query(begin)
    begun.catch(() => {})
    try {
      const liftTimeLimit = () => connection.liftTimeLimit()
      const value = await method(
        dbOf(connection, connections, settings, { sendWithCommit, liftTimeLimit }),
        ...args,
      )
      if (sent.length === 0) await begun
      ended = connection.query('COMMIT')
      ended.catch(() => {})
      await Promise.all([begun, ...sent])
      // PostgreSQL answers ROLLBACK, without an error, when a statement failed and the method hid it.
      if ((await ended).command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return value
    } catch (error) {
      const committed = await (ended ?? connection.query('ROLLBACK')).then(
        ({ command }) => command === 'COMMIT',
        () => false,
      )
      const mayStill = !committed && tries < TRIES && performance.now() < until
      if (!mayStill || !mayTryAgain(error, ended !== null)) throw error
    } finally {
      connections.giveBack(connection)
    }
    await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (tries - 1))
  }
}

/** When a transaction that begins now has to be over (of `performance.now()`). */
export function endOf({ transactionMs = Number.POSITIVE_INFINITY }: Timeouts): number {
  return performance.now() + transactionMs
}

type Reading = [connections: Connections, settings: StoreSettings, method: AnyMethod, args: unknown[]]

/** Runs a reading method on one snapshot. A connection that breaks is replaced once, and so is a plan that is gone. */
export async function read(...run: Reading): Promise<unknown> {
  return await readFrom(true, ...run)
}

/** Runs a reading method whose queries need not see one snapshot, without a transaction around them; else as `read`. */
export async function readWithoutSnapshot(...run: Reading): Promise<unknown> {
  return await readFrom(false, ...run)
}

async function readFrom(
  onSnapshot: boolean,
  ...[connections, settings, method, args]: Reading
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const connection = await connections.take()
    // Neither is waited for: the first statement goes out with BEGIN, and the answer does not wait for COMMIT.
    const begun = onSnapshot ? connection.query(BEGIN_READ) : null
    begun?.catch(() => {})
    try {
      const value = await method(dbOf(connection, connections, settings), ...args)
      await begun
      return value
    } catch (error) {
      if (tries >= 2 || !mayReadAgain(error)) throw error
    } finally {
      const giveBack = () => connections.giveBack(connection)
      if (begun) connection.query('COMMIT').then(giveBack, giveBack)
      else giveBack()
    }
  }
}

function mayReadAgain(error: unknown): boolean {
  return isLost(error) || isPlanLost(error)
}

function mayTryAgain(error: unknown, commitAsked: boolean): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || isPlanLost(error) || (!commitAsked && isLost(error))
}

/** Whether the connection broke, or the server is ending it (57P01, 57P02), so that a new one may do. */
function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost ? !error.timedOut : /^57P0[12]$/.test(codeOf(error))
}

/** The SQLSTATE, or what other code an error has. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The storage methods' view of one of the connections. */
function dbOf<More extends object>(
  connection: Connection,
  { known }: Connections,
  settings: StoreSettings,
  more = {} as More,
) {
  let sql: Kysely<Tables> | null = null
  return {
    // Made when it is needed: most reads run queries that were built before.
    get sql() {
      sql ??= kyselyOf(connection)
      return sql
    },
    dialect: postgresDialect(connection, known),
    settings,
    ...more,
  }
}

/** Queries on one connection, in whatever transaction it is in. */
export function kyselyOf(connection: Connection): Kysely<Tables> {
  const client = {
    query: (text: unknown, values: readonly unknown[]) => connection.query(text as string, values),
    release: () => {},
  }
  return new Kysely<Tables>({
    plugins: [listsAsArrays],
    dialect: new PostgresDialect({
      pool: { connect: async () => client as never, end: async () => {} },
    }),
  })
}
