import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log/log.js'
import { isUnavailable } from '../../storage/errors.js'

/** How long before a database that is not there yet is asked for again. */
const AGAIN_MS = 2_000

/**
 * What `open` resolves with once the database can be reached: after a restart of the machine that may be later than this
 * process starts. Null when `stopping` resolves before that. Rejects when anything else is wrong.
 */
export async function whenThere<T>(
  open: () => Promise<T>,
  log: Log,
  stopping: Promise<void>,
): Promise<T | null> {
  let stopped = false
  void stopping.then(() => {
    stopped = true
  })
  while (!stopped) {
    try {
      return await open()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      log.warn('the database is not there yet', { reason: (error as Error).message })
      await Promise.race([sleep(AGAIN_MS), stopping])
    }
  }
  return null
}
