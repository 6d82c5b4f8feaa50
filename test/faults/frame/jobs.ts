/** Jobs that ping at the last moment, as no job should: what they must never cause is an alert. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GRACE_SECONDS, type Trial } from './trial.js'

/**
 * A ping is sent so long before its check is to go down, and twice as long as a ping took at most in quiet times; and again
 * so long after it was not acknowledged.
 */
const BEFORE_MS = 1_000
const AGAIN_MS = 1_000

/** It runs once: the next time is after the trial. */
const PERIOD_SECONDS = 86_400

/** No job goes on trying for longer. */
const PATIENCE_MS = 120_000

export class Jobs {
  readonly #running: Promise<void>[] = []
  readonly #checks: string[] = []
  /** Those whose ping this process sent too late to arrive in time: an alert is right then. */
  readonly #late = new Set<string>()
  /** What the deadlines of those that were started last count from. */
  startedAt = 0

  constructor(private readonly trial: Trial) {}

  /** Makes a job for each of `deadlinesInMs`, which is when its check is to go down unless the ping is heard. */
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
    // On a slow machine the deadlines below take their time to be set.
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
      assert.ok(performance.now() - from < PATIENCE_MS, 'a job is heard in the end')
      await sleep(AGAIN_MS)
    }
  }

  /**
   * Waits until each has been heard, and throws when somebody was alerted of one that pinged in time, or when most did not.
   * Returns how many did.
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
