import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../core/errors.js'
import { SILENT_AFTER_MS } from '../../../core/instance/beats.js'
import type { Connection } from '../connection.js'
import { inTransaction } from './in-transaction.js'
import { giveNotice, withdrawNotice } from './move-notice.js'

/** How often (ms) to look whether the database is still in use. */
const LOOK_MS = 500

/** How the tables of a database are moved while nobody uses them. */
export interface Exclusive {
  /** Runs `work` on another connection to the database. */
  beside(work: (connection: Connection) => Promise<void>): Promise<void>
  /** How long (ms) servers and commands may take to let go of the database. */
  patienceMs: number
}

/**
 * Does `work` in one transaction of `connection`, once no process of Punctual uses the database: each reads where the rows are when
 * it opens the database. Servers are asked to open it anew, and wait until the transaction ends, as others that start do, because
 * they read the migrations first. Throws a `Refusal` if something still uses the database after `patienceMs`.
 */
export async function whileUnused<T>(
  connection: Connection,
  { beside, patienceMs }: Exclusive,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(connection, async () => {
      await connection.query('LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE')
      await beside(giveNotice)
      await waitUntilUnused(connection, performance.now() + patienceMs)
      const result = await work()
      // A server that does not know the notice may have started to take pings.
      const beat = await lastBeat(connection)
      if (beat) refuse(beat)
      return result
    })
  } finally {
    // One that stays does no harm: servers note it when they open the database.
    await beside(withdrawNotice).catch(() => {})
  }
}

/** Resolves when no process uses the database. Throws a `Refusal` at `until` (of `performance.now()`). */
async function waitUntilUnused(connection: Connection, until: number): Promise<void> {
  for (;;) {
    const use = (await lastBeat(connection)) ?? (await openConnections(connection))
    if (!use) return
    if (performance.now() >= until) refuse(use)
    await sleep(LOOK_MS)
  }
}

/** That a server has taken pings just now, in words; null if none has. */
async function lastBeat(connection: Connection): Promise<string | null> {
  const { rows } = await connection.query<{ at: number | null }>(
    'SELECT max(beat_at) AS at FROM beats WHERE stopped = 0',
  )
  const { at } = rows[0]!
  const age = at === null ? SILENT_AFTER_MS : Date.now() - at
  return age < SILENT_AFTER_MS ? `a server took pings ${Math.max(0, Math.round(age / 1000))} s ago` : null
}

/** That connections are in use, in words; null if none is. What sends alerts, and commands, have no beats. */
async function openConnections(connection: Connection): Promise<string | null> {
  await connection.query('SELECT pg_stat_clear_snapshot()')
  // A pooler keeps connections that nobody uses.
  const { rows } = await connection.query<{ open: number }>(
    `SELECT count(*) AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'punctual' AND pid <> pg_backend_pid()
        AND (state <> 'idle' OR state_change > clock_timestamp() - $1::bigint * interval '1 ms')
        AND wait_event IS DISTINCT FROM 'relation'`,
    [SILENT_AFTER_MS],
  )
  const { open } = rows[0]!
  return open > 0 ? `${open} connections of Punctual to the database are in use` : null
}

function refuse(use: string): never {
  throw new Refusal(
    'conflict',
    `${use}: stop every process of Punctual, and try again. One that was killed counts as running for ${SILENT_AFTER_MS / 1000} s`,
  )
}
