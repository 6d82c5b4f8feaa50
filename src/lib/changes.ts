/** Who is told that something changed, inside this process. Other processes look for themselves. */

/**
 * What may change. `deadline`: a check may have to go down at `at`. `deliveries`: something is to be told.
 * `goingDown`: the projects of which more checks are to go down than have been declared down. `checks`: what pages show of
 * checks may look different. `access`: somebody may see less than before. `trouble`: pings begin to fail, or are recorded
 * again. `closing`: the process is about to end.
 */
export interface ChangeEvents {
  deadline: { at: number }
  deliveries: Record<never, never>
  goingDown: { projects: readonly number[] }
  checks: Record<never, never>
  access: Record<never, never>
  trouble: Record<never, never>
  closing: Record<never, never>
}

type Listener<T> = (change: T) => void

export class Changes {
  readonly #listeners: { [K in keyof ChangeEvents]: Set<Listener<ChangeEvents[K]>> } = {
    deadline: new Set(),
    deliveries: new Set(),
    goingDown: new Set(),
    checks: new Set(),
    access: new Set(),
    trouble: new Set(),
    closing: new Set(),
  }

  /** Calls `listener` at each change until the returned function is called. */
  on<K extends keyof ChangeEvents>(event: K, listener: Listener<ChangeEvents[K]>): () => void {
    this.#listeners[event].add(listener)
    return () => this.#listeners[event].delete(listener)
  }

  tell<K extends keyof ChangeEvents>(event: K, change: ChangeEvents[K]): void {
    for (const listener of this.#listeners[event]) listener(change)
  }
}
