import { setTimeout as sleep } from 'node:timers/promises'

/** The error codes of both engines for a full disk. */
const DISK_FULL = /^(SQLITE_FULL|53100)$/

/** The pause (ms) before a retry. */
const AGAIN_MS = 1_000

/**
 * Retries `write` as long as the database's disk is full, and resolves with its result. `onFull` is called with each
 * such error. Resolves with null once `isEnding` returns true. Rejects with any other error.
 */
export async function retryWhileDiskFull<T>(
  write: () => Promise<T>,
  { onFull, isEnding }: { onFull(error: unknown): void; isEnding(): boolean },
  againMs = AGAIN_MS,
): Promise<T | null> {
  while (!isEnding()) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && DISK_FULL.test(String(error.code)))) throw error
      onFull(error)
      await sleep(againMs)
    }
  }
  return null
}
