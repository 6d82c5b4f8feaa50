/** Events within this process. Other processes learn of changes by polling the database. */

/**
 * The events. `deadline`: a check may have to go down at `at`. `deliveries`: there are new deliveries. `goingDown`:
 * projects in which more checks are overdue than have been declared down. `checks`: pages that show checks may be out
 * of date. `access`: a user, token or key may have lost access or has another role. `trouble`: pings begin to fail, or are recorded again. `closing`: the
 * process is about to exit.
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

  /** Calls `listener` on each event. The returned function removes it. */
  on<K extends keyof ChangeEvents>(event: K, listener: Listener<ChangeEvents[K]>): () => void {
    this.#listeners[event].add(listener)
    return () => this.#listeners[event].delete(listener)
  }

  emit<K extends keyof ChangeEvents>(event: K, change: ChangeEvents[K]): void {
    for (const listener of this.#listeners[event]) listener(change)
  }
}
