/** Runs a store method in a transaction of its own, with retries where they are safe. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { EventActor } from '../../core/events/actor.js'
import type { Db, StoreSettings } from '../db.js'
import type { Tables } from '../tables.js'
import { distributedDialect } from './citus/dialect.js'
import type { CheckServers } from './citus/shards.js'
import { type Connection, ConnectionLost, isClosing, isPlanLost, type Timeouts } from './connection.js'
import type { Connections } from './connections.js'
import { type OwnDialect, postgresDialect } from './dialect.js'
import type { KnownChecks } from './known-checks.js'
import { listsAsArrays } from './lists-as-arrays.js'

/** The context of a writing method on PostgreSQL. */
export interface PostgresDb extends Db {
  dialect: OwnDialect
  sendWithCommit(write: Promise<unknown>): void
}

export type AnyMethod = (db: Db, ...args: unknown[]) => Promise<unknown>

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** The maximum number of attempts of a transaction, and the longest pause before the first retry (ms). */
const TRIES = 6
const FIRST_PAUSE_MS = 20

/** The time limit of a lock is shorter than that of an answer by this much (ms), so that the connection survives. */
const LOCK_MARGIN_MS = 1_000

/**
 * A process that froze or vanished during a transaction must not keep its locks, and one that disconnected must not
 * wait for a lock: the server does not notice that by itself.
 */
function beginWrite({ statementMs }: Timeouts, locally: Locally): string {
  const lock_timeout = statementMs - LOCK_MARGIN_MS
  const parameters = { idle_in_transaction_session_timeout: 15_000, lock_timeout, ...locally }
  return ['BEGIN', ...Object.entries(parameters).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join(
    '; ',
  )
}

/** Server parameters for one transaction. */
type Locally = Readonly<Record<string, string | number>>

/**
 * For pings of cached checks. The time (ms) that they wait for a row that another transaction has locked. The server may lock rows in another order
 * than requested, so that two processes deadlock, which it would notice only after a second. The generic plan:
 * otherwise the server would plan each statement by the lengths of its arrays, which takes longer than running it.
 */
export const FOR_PINGS: Locally = { lock_timeout: 50, plan_cache_mode: 'force_generic_plan' }

/**
 * When it has to end (of `performance.now()`), if not by its timeouts, its server parameters, who acts, and what rejects if they may not do so any
 * more: it is asked before the commit, because the transaction may have waited for locks.
 */
export interface How {
  until?: number
  locally?: Locally
  actor?: EventActor | null
  requireAccess?: (() => Promise<void>) | undefined
}

/**
 * Runs a writing method in a transaction and resolves with its result after the commit. Deadlocks and serialisation
 * failures are retried, and so are transactions whose plan was lost, or whose connection was lost before the commit
 * was sent. If it is lost later, it is not known whether the transaction was committed, and the error is thrown. If
 * the transaction has a time limit, nothing is sent after that.
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
    // Not awaited, so that the first statement is sent with it. It fails only if the connection is lost as well.
    const begun = connection.query(begin)
    begun.catch(() => {})
    try {
      const liftTimeLimit = () => connection.liftTimeLimit()
      const value = await method(
        dbOf(connection, connections, settings, { sendWithCommit, liftTimeLimit, actor: how.actor ?? null }),
        ...args,
      )
      if (sent.length === 0) await begun
      if (how.requireAccess) await how.requireAccess()
      ended = connection.end('COMMIT')
      ended.catch(() => {})
      await Promise.all([begun, ...sent])
      // PostgreSQL answers ROLLBACK, without an error, if a statement failed and the method ignored it.
      if ((await ended).command !== 'COMMIT') throw new Error('the transaction was rolled back')
      connections.noteWrite(null)
      return value
    } catch (error) {
      const committed = await (ended ?? connection.end('ROLLBACK')).then(
        ({ command }) => command === 'COMMIT',
        () => false,
      )
      const mayStill = !committed && tries < TRIES && performance.now() < until
      const cause = connection.causeOf(error)
      connections.noteWrite(cause)
      if (!mayStill || !mayTryAgain(cause, ended !== null)) throw cause
    } finally {
      connections.giveBack(connection)
    }
    await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** (tries - 1))
  }
}

/** When a transaction that begins now has to end (of `performance.now()`). */
export function endOf({ transactionMs = Number.POSITIVE_INFINITY }: Timeouts): number {
  return performance.now() + transactionMs
}

type Reading = [connections: Connections, settings: StoreSettings, method: AnyMethod, args: unknown[]]

/** Runs a reading method on one snapshot. Once it has passed anything to a function among its arguments, it is not repeated. */
export async function read(...[connections, settings, method, given]: Reading): Promise<unknown> {
  let hasPassed = false
  const noted =
    (take: (...values: unknown[]) => unknown) =>
    (...values: unknown[]) => {
      hasPassed = true
      return take(...values)
    }
  const args = given.map(arg => (typeof arg === 'function' ? noted(arg as () => unknown) : arg))
  const mayRepeat = () => !hasPassed
  return await twice(mayRepeat, async () => {
    const connection = await connections.take()
    // Neither is awaited: the first statement is sent with BEGIN, and the result does not wait for COMMIT.
    const begun = connection.query(BEGIN_READ)
    begun.catch(() => {})
    try {
      const value = await method(dbOf(connection, connections, settings), ...args)
      await begun
      return value
    } catch (error) {
      throw connection.causeOf(error)
    } finally {
      const giveBack = () => connections.giveBack(connection)
      connection.end('COMMIT').then(giveBack, giveBack)
    }
  })
}

/** Runs a reading method that needs no snapshot, without a transaction and on a shared connection; else as `read`. */
export async function readWithoutSnapshot(
  ...[connections, settings, method, args]: Reading
): Promise<unknown> {
  return await twice(always, () =>
    connections.shared.use(connection => method(dbOf(connection, connections, settings), ...args)),
  )
}

const always = () => true

/** Retries once if the connection or a plan was lost. */
async function twice(mayRepeat: () => boolean, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (!mayRepeat() || (!isLost(error) && !isPlanLost(error))) throw error
    return await run()
  }
}

function mayTryAgain(error: unknown, commitAsked: boolean): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || isPlanLost(error) || (!commitAsked && isLost(error))
}

/** Whether the connection was lost or is being closed, so that a new one may work. */
function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost ? !error.timedOut : isClosing(error)
}

/** The SQLSTATE or other code of an error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The context of storage methods on a connection. */
function dbOf<More extends object>(
  connection: Connection,
  { known, workers }: Connections,
  settings: StoreSettings,
  more = {} as More,
) {
  let sql: Kysely<Tables> | null = null
  return {
    // Created on demand: most reads run queries that were built before.
    get sql() {
      sql ??= kyselyOf(connection)
      return sql
    },
    dialect: dialectOf(connection, known, workers),
    settings,
    actor: null,
    ...more,
  }
}

function dialectOf(connection: Connection, known?: KnownChecks, workers?: CheckServers): OwnDialect {
  const dialect = postgresDialect(connection, known)
  return workers ? { ...dialect, ...distributedDialect(connection, workers, known) } : dialect
}

/** A query builder on one connection, in its current transaction. */
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
