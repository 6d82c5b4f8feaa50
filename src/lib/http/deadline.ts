/** A time limit passed before the work was done. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** A timer that is so late (ms) was due while the process could do nothing, for example because it was frozen. */
export const LATE_MS = 1_000
/** How long (ms) it then has to read what has arrived in the meantime. */
const GRACE_MS = 1_000

/**
 * Runs `work` with a signal that aborts after `ms`, or when `outer` does. `restart` replaces the time limit: the signal
 * aborts so long after the call. A process that was frozen first reads what has arrived. Once aborted it rejects with
 * `DeadlinePassed`, or with the outer signal's reason.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, restart: (ms: number) => void) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.any: Node 20 may garbage-collect an AbortSignal.timeout that only AbortSignal.any refers to.
  const controller = new AbortController()
  const { signal } = controller
  const pass = () => controller.abort(new DeadlinePassed())
  const start = (after: number) => {
    const dueAt = performance.now() + after
    return setTimeout(() => {
      if (performance.now() - dueAt < LATE_MS) pass()
      else timer = setTimeout(pass, GRACE_MS)
    }, after)
  }
  let timer = start(ms)
  let isOver = false
  const restart = (after: number) => {
    clearTimeout(timer)
    if (!isOver) timer = start(after)
  }
  const abort = () => controller.abort(outer?.reason)
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await work(signal, restart)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    isOver = true
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
}
