/** Jobs that ping at the last moment, as no job should: what they must never cause is an alert. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GRACE_SECONDS, type Trial } from './trial.js'

/** A ping is sent so long before its check is to go down, and again so long after it was not acknowledged. */
const BEFORE_MS = 1_000
const AGAIN_MS = 1_000

/** It runs once: the next time is after the trial. */
const PERIOD_SECONDS = 86_400

/** No job goes on trying for longer. */
const PATIENCE_MS = 120_000

export class Jobs {
  readonly #running: Promise<void>[] = []
  readonly #checks: string[] = []
  /** When those that were started last were. */
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
      assert.equal(await trial.ping(check), 200)
      checks.push(check)
    }
    this.startedAt = trial.program.now()
    const deadlines = checks.map((check, index) => [check, this.startedAt + deadlinesInMs[index]!] as const)
    await trial.setDeadlines(deadlines)
    this.#checks.push(...checks)
    for (const [check, at] of deadlines) this.#running.push(this.#run(check, at))
  }

  async #run(check: string, deadline: number): Promise<void> {
    await sleep(Math.max(0, deadline - BEFORE_MS - this.trial.program.now()))
    const from = performance.now()
    while ((await this.trial.ping(check)) !== 200) {
      assert.ok(performance.now() - from < PATIENCE_MS, 'a job is heard in the end')
      await sleep(AGAIN_MS)
    }
  }

  /** Waits until each has been heard, and throws when somebody was alerted of one. Returns how many there were. */
  async end(): Promise<number> {
    await Promise.all(this.#running)
    const alerted = this.#checks.filter(check => this.trial.arrivals(check, 'down').length > 0)
    assert.equal(alerted.length, 0, `${alerted.length} of ${this.#checks.length} alerts were false`)
    return this.#checks.length
  }
}
