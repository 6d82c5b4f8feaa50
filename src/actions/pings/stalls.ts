import { FROZEN_MS } from './note-missed-pings.js'

/** How often (ms) it is noted that the process runs. */
const NOTED_EVERY_MS = 250

/** A process that did nothing for longer than this (ms) has pings to read that came meanwhile. */
const STALL_MS = 500

/**
 * How long (ms) reading them may take once the process runs again, besides as long as it did not: connections for which the system had no
 * room are tried again when they have waited twice as long. Source: RFC 6298, section 5. A longer stall is an outage, which has a hold of its own.
 */
const READING_MS = 1_000

/**
 * Notices that this process could do nothing for a moment: because it was frozen, busy, or had no processor. Pings that were sent
 * meanwhile are late through no fault of their senders. All instants are monotonic times in ms.
 */
export class Stalls {
  #runsAt: number | null = null
  #timer: NodeJS.Timeout | null = null
  /** When each began, and until when pings may be late because of it; oldest first. */
  #recent: readonly { from: number; until: number }[] = []

  /** `onFreeze` is called after a stall that is an outage, with its length (ms). */
  constructor(private readonly onFreeze: (stalledMs: number) => void = () => {}) {}

  /** Watches from now on; before that, nothing is noticed. */
  start(): void {
    this.note()
    this.#timer ??= setInterval(() => this.note(), NOTED_EVERY_MS).unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#runsAt = null
  }

  /** Notes that the process runs. */
  note(now = performance.now()): void {
    const before = this.#runsAt ?? now
    this.#runsAt = now
    const stalledMs = now - before
    if (stalledMs <= STALL_MS) return
    this.#recent = [
      ...this.#recent,
      { from: before, until: now + Math.min(stalledMs, FROZEN_MS) + READING_MS },
    ]
    if (stalledMs > FROZEN_MS) this.onFreeze(stalledMs)
  }

  /** How long ago (ms) the first of those pings may have been sent that may still be unread; 0 if all that were sent are read. */
  unreadFor(now = performance.now()): number {
    if (this.#runsAt === null) return 0
    this.note(now)
    this.#recent = this.#recent.filter(({ until }) => until > now)
    const [oldest] = this.#recent
    return oldest ? now - oldest.from : 0
  }
}
