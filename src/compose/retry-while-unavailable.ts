import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../storage/errors.js'

/** The pause (ms) before a retry. */
const AGAIN_MS = 1_000

/**
 * Retries `write` as long as the database is full, locked, starting or out of reach, and resolves with its result.
 * `onUnavailable` is called with each such error. Resolves with null once `isEnding` returns true. Rejects with any
 * other error.
 */
export async function retryWhileUnavailable<T>(
  write: () => Promise<T>,
  { onUnavailable, isEnding }: { onUnavailable(error: unknown): void; isEnding(): boolean },
  againMs = AGAIN_MS,
): Promise<T | null> {
  while (!isEnding()) {
    try {
      return await write()
    } catch (error) {
      if (!mayPass(error)) throw error
      onUnavailable(error)
      await sleep(againMs)
    }
  }
  return null
}
