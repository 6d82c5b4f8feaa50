import { setTimeout as sleep } from 'node:timers/promises'

/** What the engines say when their disk is full. */
const DISK_FULL = /^(SQLITE_FULL|53100)$/

/** How long (ms) before a full disk is tried again. */
const AGAIN_MS = 1_000

/**
 * What `write` resolves with once there is room on the database's disk; `onFull` is called with each error until then. Null
 * when `isEnding` says so before that. Rejects when anything else is wrong.
 */
export async function whenRoom<T>(
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
