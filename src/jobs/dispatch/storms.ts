/**
 * Projects with so many checks going down that it takes several transactions. Messages that people read wait until
 * all are down, so that one message covers them.
 */
import type { Clock } from '../../lib/clock.js'

/** The longest time that messages of a project wait, and how long a report of such projects is valid. */
const LIMITS_MS = { wait: 10_000, heard: 5_000 }

export class Storms {
  readonly #since = new Map<number, number>()
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: Clock) {}

  /**
   * Notes the projects with more checks to declare down; the storms of all others are over.
   * Returns whether a storm ended.
   */
  hear(projects: readonly number[]): boolean {
    this.#heardAt = this.clock.now()
    const before = this.#since.size
    for (const id of this.#since.keys()) if (!projects.includes(id)) this.#since.delete(id)
    const isOver = this.#since.size < before
    for (const id of projects) if (!this.#since.has(id)) this.#since.set(id, this.#heardAt)
    return isOver
  }

  /** Whether messages of a project that people read have to wait. */
  isGoingOn(projectId: number): boolean {
    const since = this.#since.get(projectId)
    if (since === undefined) return false
    const now = this.clock.now()
    const isWithin = (from: number, ms: number) => Math.abs(now - from) < ms
    return isWithin(since, LIMITS_MS.wait) && isWithin(this.#heardAt, LIMITS_MS.heard)
  }
}
