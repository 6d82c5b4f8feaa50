/** Jobs that ping at the last moment, as no job should: they must never cause an alert. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GRACE_SECONDS, type Trial } from './trial.js'

/**
 * A ping is sent this long before its check goes down, plus twice the longest time of a ping in quiet times. It is
 * sent again this long after it was not acknowledged.
 */
const BEFORE_MS = 1_000
const AGAIN_MS = 1_000

/** The job runs once: the next time is after the trial. */
const PERIOD_SECONDS = 86_400

/** The longest time for which a job retries. */
const TIME_LIMIT_MS = 120_000

export class Jobs {
  readonly #running: Promise<void>[] = []
  readonly #checks: string[] = []
  /** Jobs whose ping this process sent too late to arrive in time: an alert is correct then. */
  readonly #late = new Set<string>()
  /** The instant from which the deadlines of the newest jobs count. */
  startedAt = 0

  constructor(private readonly trial: Trial) {}

  /** Creates a job for each of `deadlinesInMs`: when its check goes down unless the ping is recorded. */
  async start(deadlinesInMs: readonly number[]): Promise<void> {
    const { trial } = this
    const checks: string[] = []
    for (const _ of deadlinesInMs) {
      const check = await trial.newCheck(`job ${this.#checks.length + checks.length}`, {
        timeout: PERIOD_SECONDS,
        grace: GRACE_SECONDS,
      })
      await trial.firstPing(check)
      checks.push(check)
    }
    // On a slow machine it takes a while to set the deadlines below.
    this.startedAt = trial.program.now() + 10 * trial.slowestMs
    const deadlines = checks.map((check, index) => [check, this.startedAt + deadlinesInMs[index]!] as const)
    await trial.setDeadlines(deadlines)
    this.#checks.push(...checks)
    for (const [check, at] of deadlines) this.#running.push(this.#run(check, at))
  }

  async #run(check: string, deadline: number): Promise<void> {
    const { program, slowestMs } = this.trial
    await sleep(Math.max(0, deadline - BEFORE_MS - 2 * slowestMs - program.now()))
    if (program.now() > deadline - BEFORE_MS / 2 - slowestMs) this.#late.add(check)
    const from = performance.now()
    while ((await this.trial.ping(check)) !== 200) {
      assert.ok(performance.now() - from < TIME_LIMIT_MS, 'a job’s ping is recorded in the end')
      await sleep(AGAIN_MS)
    }
  }

  /**
   * Waits until each ping is recorded. Throws if an alert was sent about a job that pinged in time, or if most jobs
   * did not. Returns the number that did.
   */
  async end(): Promise<number> {
    await Promise.all(this.#running)
    const inTime = this.#checks.filter(check => !this.#late.has(check))
    assert.ok(
      inTime.length > this.#checks.length / 2,
      `only ${inTime.length} of ${this.#checks.length} pinged in time`,
    )
    const alerted = inTime.filter(check => this.trial.arrivals(check, 'down').length > 0)
    assert.equal(alerted.length, 0, `${alerted.length} of ${inTime.length} alerts were false`)
    return inTime.length
  }
}
