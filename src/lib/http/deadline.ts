/** A time limit passed before the work was done. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * Runs `work` with a signal that aborts after `ms`, or when `outer` does. Once aborted it rejects with
 * `DeadlinePassed`, or with the outer signal's reason.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.any: Node 20 may garbage-collect an AbortSignal.timeout that only AbortSignal.any refers to.
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new DeadlinePassed()), ms)
  const abort = () => controller.abort(outer?.reason)
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await work(signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
}
