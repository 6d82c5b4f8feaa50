/**
 * Limits how many bytes of requests are held in memory until their receivers have read them. Messages are counted by
 * send-slots.ts, but hundreds to receivers that do not read would hold gigabytes. Decision 0103.
 */
import type { HttpRequest, Transports } from '../../integrations/transports.js'

export const BYTE_LIMITS = {
  /** A project with more bytes begins no message. */
  project: 16_000_000,
  /** If all projects have more, only those with few begin messages: a small message that hangs is nobody's fault. */
  all: 48_000_000,
  few: 256_000,
  /** While a project begins none, its requests that have taken this long (ms) are cut off. */
  cutOffAfterMs: 5_000,
  /** The oldest requests are cut off at once above these: messages begin before their sizes are known. */
  mostOfProject: 48_000_000,
  most: 96_000_000,
}

/** A timer may fire this much too early. */
const TIMER_MS = 10

interface Held {
  projectId: number
  bytes: number
  readonly startedAt: number
  readonly cutOff: (tookMs: number) => void
  readonly timer: NodeJS.Timeout
}

export class RequestBytes {
  /** In the order in which they began. */
  readonly #held = new Set<Held>()
  readonly #ofProject = new Map<number, number>()
  #all = 0

  /** `now` is in ms. */
  constructor(
    private readonly now: () => number,
    private readonly limits = BYTE_LIMITS,
  ) {}

  /** Whether a project has to wait until requests are answered or cut off. */
  isFull(projectId: number): boolean {
    const ofProject = this.#of(projectId)
    return ofProject > this.limits.project || (ofProject > this.limits.few && this.#all > this.limits.all)
  }

  /** Counts a request until the returned function is called; `cutOff` is called if it is to be aborted. */
  begin(projectId: number, bytes: number, cutOff: Held['cutOff']): () => void {
    const { limits } = this
    const timer = setTimeout(() => this.#cutOffSlow(projectId), limits.cutOffAfterMs + TIMER_MS)
    const held: Held = { projectId, bytes, startedAt: this.now(), cutOff, timer }
    this.#held.add(held)
    this.#count(held, bytes)
    this.#cutOffSlow(projectId)
    while (this.#of(projectId) > limits.mostOfProject && this.#cutOffOldest(projectId, held));
    while (this.#all > limits.most && this.#cutOffOldest(this.#largestProject(), held));
    return () => this.#end(held)
  }

  /** Aborts the slow requests of a project, oldest first, until it is not full. */
  #cutOffSlow(projectId: number): void {
    for (const held of this.#held) {
      if (!this.isFull(projectId) || this.now() - held.startedAt < this.limits.cutOffAfterMs) return
      if (held.projectId === projectId) this.#cutOff(held)
    }
  }

  /** Aborts the oldest request of a project except `spared`; returns whether there was one. */
  #cutOffOldest(projectId: number, spared: Held): boolean {
    for (const held of this.#held) {
      if (held.projectId !== projectId || held === spared) continue
      this.#cutOff(held)
      return true
    }
    return false
  }

  #cutOff(held: Held): void {
    this.#end(held)
    held.cutOff(this.now() - held.startedAt)
  }

  #end(held: Held): void {
    clearTimeout(held.timer)
    if (this.#held.delete(held)) this.#count(held, -held.bytes)
  }

  #largestProject(): number {
    return [...this.#ofProject].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
  }

  #of(projectId: number): number {
    return this.#ofProject.get(projectId) ?? 0
  }

  #count({ projectId }: Held, bytes: number): void {
    this.#all += bytes
    const ofProject = this.#of(projectId) + bytes
    if (ofProject === 0) this.#ofProject.delete(projectId)
    else this.#ofProject.set(projectId, ofProject)
  }
}

/** The transports, of which each request is counted with `begin` until it ends. */
export function withCountedBytes(transports: Transports, begin: (bytes: number) => () => void): Transports {
  return {
    ...transports,
    async http(request) {
      const end = begin(bytesOf(request))
      try {
        return await transports.http(request)
      } finally {
        end()
      }
    },
  }
}

function bytesOf({ url, headers = {}, body = '' }: HttpRequest): number {
  const texts = [url, ...Object.entries(headers).flat()]
  return Buffer.byteLength(body) + texts.reduce((sum, text) => sum + text.length, 0)
}
