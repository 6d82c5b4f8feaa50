import type { Connection } from '../connection.js'

/** How long (ms) to wait for a lock that others hold. */
const LOCK_TIMEOUT_MS = 30_000

/** Does `work` in one transaction, which ends soon after this process if that is killed. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query(
    `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL client_connection_check_interval = 5000`,
  )
  try {
    const result = await work()
    await connection.query('COMMIT')
    return result
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {})
    throw error
  }
}
