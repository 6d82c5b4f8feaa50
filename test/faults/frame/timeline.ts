import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Arrival } from './receiver.js'
import type { Trial } from './trial.js'

const PREFIX = '/api/punctual/v1/checks'

/** An alert arrives at most this long (s) after its deadline, also on a busy machine. */
const SOON = 10

/** One check of a trial, with everything that is done to it and its results, each with its time. */
export class Timeline {
  readonly #runs = new Map<string, string>()

  private constructor(
    private readonly trial: Trial,
    private readonly name: string,
    readonly check: string,
    /** When it was created (ms). */
    readonly begin: number,
  ) {}

  /** A check with a period and grace time of a minute and these settings, by their names in Punctual's own API. */
  static async open(trial: Trial, name: string, settings: object): Promise<Timeline> {
    const check = await trial.newCheck(name, { timeout: 60, grace: 60 })
    const line = new Timeline(trial, name, check, trial.program.now())
    await line.#api('PATCH', '', JSON.stringify(settings))
    line.#say(`is made: ${JSON.stringify(settings)}`)
    return line
  }

  /** Sends a ping without a run ID. */
  async ping(action: '' | '/start' | '/fail'): Promise<void> {
    const path = `/ping/${this.check}${action}`
    assert.equal((await this.trial.program.call('POST', path)).status, 200)
    this.#say(action.slice(1) || 'success')
  }

  /** A run with a run ID. */
  run(name: string) {
    const rid = crypto.randomUUID()
    this.#runs.set(rid, name)
    const send = async (action: '' | '/start', word: string) => {
      const path = `/ping/${this.check}${action}?rid=${rid}`
      assert.equal((await this.trial.program.call('POST', path)).status, 200)
      this.#say(`${name} ${word}`)
    }
    return { starts: () => send('/start', 'starts'), succeeds: () => send('', 'succeeds') }
  }

  /** The check as Punctual's own API shows it. */
  async shown() {
    return await this.#api('GET', '')
  }

  async status(): Promise<string> {
    const { status, failing } = await this.shown()
    this.#say(`shown as ${status}${failing ? `, failing ${failing.count} of ${failing.of}` : ''}`)
    return status
  }

  /** The outcome of each run, by its name. */
  async outcomes(): Promise<Record<string, string>> {
    const { items: runs } = await this.#api('GET', '/runs')
    const named = runs.map((run: { run_id: string; outcome: string }) => [
      this.#runs.get(run.run_id),
      run.outcome,
    ])
    const outcomes = Object.fromEntries(named)
    this.#say(`runs: ${JSON.stringify(outcomes)}`)
    return outcomes
  }

  /** Waits for the message. */
  async waitForMessage(status: 'up' | 'down'): Promise<Arrival> {
    const arrival = await this.trial.waitForMessage(this.check, status)
    this.#say(`message: ${status}`, arrival.at)
    return arrival
  }

  /**
   * Waits for the alert that it is down for this cause, which must come `seconds` after `from` (ms) or soon after.
   */
  async alertComes(cause: string, seconds: number, from: number): Promise<void> {
    await sleep(Math.max(0, from + seconds * 1000 - this.trial.program.now()))
    const { at } = await this.waitForMessage('down')
    const after = secondsBetween(from, at)
    const found = await this.#cause()
    this.#say(`cause: ${found}, ${after.toFixed(1)} s after what began it`)
    assert.equal(found, cause)
    assert.ok(after >= seconds && after < seconds + SOON, `after ${after} s, not ${seconds}`)
  }

  /** The cause of the last time it went down. */
  async #cause(): Promise<string | undefined> {
    const { rows } = await this.trial.withDatabase(({ sql: db }) =>
      sql<{ reason: string }>`SELECT f.reason FROM flips f JOIN checks c ON c.id = f.check_id
        WHERE c.uuid = ${this.check} AND f.new_status = 'down' ORDER BY f.id DESC LIMIT 1`.execute(db),
    )
    return rows[0]?.reason
  }

  async #api(method: string, path: string, body?: string) {
    const answer = await this.trial.callApi(method, `${PREFIX}/${this.check}${path}`, body)
    assert.equal(answer.status, 200, answer.body)
    return JSON.parse(answer.body)
  }

  #say(what: string, at = this.trial.program.now()): void {
    const after = secondsBetween(this.begin, at).toFixed(1).padStart(6)
    console.log(`${new Date(at).toISOString().slice(11, 23)} ${after} s  ${this.name}: ${what}`)
  }
}

/** Seconds from one instant (ms) to another. */
function secondsBetween(from: number, to: number): number {
  return (to - from) / 1000
}
