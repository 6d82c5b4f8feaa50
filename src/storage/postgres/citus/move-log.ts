/** Moves the log of pings from before the distribution to the workers, while pings are recorded. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LOG_BEFORE } from '../../pings/log-before.js'
import type { Connection } from '../connection.js'
import { inTransaction } from './in-transaction.js'
import { LOG_MOVED_DOWN_TO } from './notes.js'
import { columnsOfTable } from './twin.js'

/** The number of pings that one transaction moves. */
const SLICE = 10_000

/** Whether a part of the log is still to be moved. */
export async function isLogMoving(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ name: string | null }>(
    `SELECT to_regclass('${LOG_BEFORE}')::text AS name`,
  )
  return rows[0]!.name !== null
}

/** The rows that are still to be moved, as the end of a SELECT. */
export async function restOfLog(connection: Connection): Promise<string> {
  const end = await movedDownTo(connection)
  return `FROM ${LOG_BEFORE} WHERE id <= ${end} AND check_id IN (SELECT check_id FROM check_names)`
}

/** Forgets how far the log has been moved, and the rest of it. */
export async function dropRestOfLog(connection: Connection): Promise<void> {
  await connection.query(`DROP TABLE ${LOG_BEFORE}`)
  await connection.query('DELETE FROM meta WHERE key = $1', [LOG_MOVED_DOWN_TO])
}

/**
 * Moves the rest of the log, the newest pings first, and reports to `onProgress` the rows that each transaction moved. It can
 * be ended at any time: another call continues.
 */
export async function moveLog(connection: Connection, onProgress: (rows: number) => void): Promise<void> {
  if (!(await isLogMoving(connection))) return
  const columns = await columnsOfTable(connection, LOG_BEFORE)
  for (;;) {
    const since = performance.now()
    const first = await firstOfSlice(connection)
    if (first === null) break
    const moved = await inTransaction(connection, async () => {
      // No check is deleted in the meantime, whose pings would then stay.
      await connection.query('LOCK TABLE check_names IN SHARE MODE')
      const { rowCount } = await connection.query(
        `INSERT INTO pings (${columns}) SELECT ${columns} ${await restOfLog(connection)} AND id >= ${first}`,
      )
      await connection.query(
        'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        [LOG_MOVED_DOWN_TO, String(first - 1)],
      )
      return rowCount ?? 0
    })
    onProgress(moved)
    // Pings have the servers for themselves for as long as that took.
    await sleep(performance.now() - since)
  }
  await inTransaction(connection, () => dropRestOfLog(connection))
}

/** The ID of the oldest ping of the next slice; null if all are moved. IDs may be far apart. */
async function firstOfSlice(connection: Connection): Promise<number | null> {
  const { rows } = await connection.query<{ first: number | null }>(
    `SELECT min(id) AS first
       FROM (SELECT id FROM ${LOG_BEFORE} WHERE id <= ${await movedDownTo(connection)} ORDER BY id DESC LIMIT ${SLICE}) slice`,
  )
  return rows[0]!.first
}

/** The ID up to which rows are still to be moved, for a comparison. */
async function movedDownTo(connection: Connection): Promise<string> {
  const { rows } = await connection.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [
    LOG_MOVED_DOWN_TO,
  ])
  return rows[0]?.value ?? '9223372036854775807'
}
