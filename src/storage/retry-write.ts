import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from './errors.js'

/** The pause (ms) before a write is tried again. */
const PAUSE_MS = 250

/** How long a write is tried again. */
export interface Retrying {
  /** When it aborts, a pause ends, and the write is tried once more at most. */
  stop: AbortSignal
  /** An instant (ms) by `performance.now()`: later failures are final. Absent: none. */
  until?: number
  /** Called with each error after which the write is tried again. */
  onRetry?(error: unknown): void
}

/** Whether a write that failed with `error` is tried again: the database was locked, full or out of reach. */
export function mayRetry(error: unknown, { stop, until = Number.POSITIVE_INFINITY }: Retrying): boolean {
  return mayPass(error) && !stop.aborted && performance.now() < until
}

/** Resolves after the pause before a write is tried again, or when `stop` aborts. */
export async function pauseBeforeRetry({ stop }: Retrying): Promise<void> {
  await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => {})
}

/** Runs `write` until it succeeds, and resolves with its result. Rejects with the error after which it is not tried again. */
export async function retryWrite<T>(write: () => Promise<T>, retrying: Retrying): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!mayRetry(error, retrying)) throw error
      retrying.onRetry?.(error)
    }
    await pauseBeforeRetry(retrying)
  }
}
