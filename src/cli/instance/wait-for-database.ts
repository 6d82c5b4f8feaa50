import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log/log.js'
import { mayPass } from '../../storage/errors.js'

/** The pause between two attempts to connect. */
const RETRY_MS = 2_000

/**
 * Retries `open` until the database can be used: after a reboot its server may start later than this process, and
 * another program may hold its lock. Returns
 * the result of `open`, or null if `stopping` resolves first. Rejects on any other error.
 */
export async function waitForDatabase<T>(
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
      if (!mayPass(error)) throw error
      log.warn('the database is not available yet', { reason: (error as Error).message })
      await Promise.race([sleep(RETRY_MS), stopping])
    }
  }
  return null
}
