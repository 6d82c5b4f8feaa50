import type { ArrivedPing, CheckOfProject, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Stamp } from '../../lib/clock.js'
import { isDatabaseAtFault } from '../../storage/errors.js'
import { ARRIVING_MS, type Held } from './hearing.js'
import { ANSWER_WITHIN_MS, NoAnswerYet } from './ping-refusals.js'
import type { PingQueue } from './record-pings.js'
import type { QueueOptions } from './waiting-pings.js'

/** The counter of a stamp ends here. */
const LAST_US = 999

/**
 * A request or an e-mail that may become pings after something was looked up. Deadlines wait for it, and a database that
 * does not answer what is asked for it counts as pings that could not be recorded.
 */
export class PingArrival {
  readonly #since = performance.now()
  readonly #at: Stamp
  #stamps = 0
  #release: () => void

  private constructor(
    private readonly pings: PingQueue,
    stamp: () => Stamp,
  ) {
    this.#at = stamp()
    this.#release = pings.hearing.arriving(this.#at.ms)
  }

  /** Runs `work` with the arrival of now. Deadlines wait for it no longer than until `work` ends. */
  static async of<T>(
    pings: PingQueue,
    stamp: () => Stamp,
    work: (arrival: PingArrival) => Promise<T>,
  ): Promise<T> {
    const arrival = new PingArrival(pings, stamp)
    try {
      return await work(arrival)
    } finally {
      arrival.isNone()
    }
  }

  /** When it arrived; each call returns a stamp that orders its ping after the one before. */
  stamp(): Stamp {
    const { ms, us } = this.#at
    return { ms, us: Math.min(us + this.#stamps++, LAST_US) }
  }

  /** It turned out not to be a ping: deadlines do not wait for it any more. */
  isNone(): void {
    this.#release()
  }

  /** The result of what is looked up in the database. Rejects with its error, or with `NoAnswerYet`. */
  async lookUp<T>(work: Promise<T>): Promise<T> {
    try {
      return await this.#inTime(work)
    } catch (error) {
      if (isDatabaseAtFault(error)) this.pings.hearing.failed(this.#at.ms)
      throw error
    }
  }

  /** The result of what an e-mail to these checks waits for. If that fails, their pings are refused while others are recorded. */
  async prepare<T>(work: Promise<T>, checks: readonly CheckOfProject[]): Promise<T> {
    try {
      return await this.#inTime(work, checks)
    } catch (error) {
      this.refuse(checks)
      throw error
    }
  }

  /** Notes that an e-mail to these checks is refused while others are recorded: their deadlines wait for the sender to try again. */
  refuse(checks: readonly CheckOfProject[]): void {
    this.pings.hearing.refused(checks, this.#at.ms)
  }

  /** Records pings with stamps of this arrival, as `PingQueue.recordTogether` does. */
  async record(pings: readonly ArrivedPing[], how: Omit<QueueOptions, 'since'> = {}): Promise<PingOutcome[]> {
    const recorded = this.pings.recordTogether(pings, { ...how, since: this.#since })
    // Deadlines wait as long as the queue says.
    this.#release()
    try {
      return await recorded
    } finally {
      this.#holdASecondMore(how.of ?? 'all')
    }
  }

  /** Deadlines wait as long as the sender may, and a second longer, in which it may become a ping. */
  async #held<T>(work: Promise<T>, of: Held): Promise<T> {
    this.#hold(ANSWER_WITHIN_MS, of)
    try {
      return await work
    } finally {
      this.#holdASecondMore(of)
    }
  }

  #holdASecondMore(of: Held): void {
    this.#hold(performance.now() - this.#since + ARRIVING_MS, of)
  }

  #hold(ms: number, of: Held): void {
    this.#release()
    this.#release = this.pings.hearing.arriving(this.#at.ms, ms, of)
  }

  /** Rejects with `NoAnswerYet` if the sender has waited too long. */
  async #inTime<T>(work: Promise<T>, of: Held = 'all'): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const leftMs = Math.max(0, ANSWER_WITHIN_MS - (performance.now() - this.#since))
      timer = setTimeout(() => reject(new NoAnswerYet('what a ping is about was not found in time')), leftMs)
    })
    try {
      return await this.#held(Promise.race([work, late]), of)
    } finally {
      clearTimeout(timer)
    }
  }
}
