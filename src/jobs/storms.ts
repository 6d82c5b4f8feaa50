/**
 * Projects of which so many checks go down that it takes several transactions. What people read of it waits for the last of
 * them, so that one message says it all.
 */
import type { Clock } from '../lib/clock.js'

/** How long messages of a project wait at most, and for how long what was heard is true. */
const LIMITS_MS = { wait: 10_000, heard: 5_000 }

export class Storms {
  readonly #since = new Map<number, number>()
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: Clock) {}

  /** Notes the projects that have more checks to go down; any other has none. Returns whether the wait of one is over. */
  hear(projects: readonly number[]): boolean {
    this.#heardAt = this.clock.now()
    const before = this.#since.size
    for (const id of this.#since.keys()) if (!projects.includes(id)) this.#since.delete(id)
    const isOver = this.#since.size < before
    for (const id of projects) if (!this.#since.has(id)) this.#since.set(id, this.#heardAt)
    return isOver
  }

  /** Whether messages of a project that people read are to wait. */
  isGoingOn(projectId: number): boolean {
    const since = this.#since.get(projectId)
    if (since === undefined) return false
    const now = this.clock.now()
    const isWithin = (from: number, ms: number) => Math.abs(now - from) < ms
    return isWithin(since, LIMITS_MS.wait) && isWithin(this.#heardAt, LIMITS_MS.heard)
  }
}
