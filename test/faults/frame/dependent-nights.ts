/** Nights of a check that depends on another one. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { API, Night, type Path } from './nights.js'
import type { Trial } from './trial.js'

export class DependentNight extends Night {
  private constructor(
    trial: Trial,
    check: string,
    channels: Record<Path, string>,
    private readonly parent: string,
  ) {
    super(trial, check, channels, false)
  }

  /** `waitSeconds`: how long the check waits for the other one if it goes down first. No channel is alerted of that one. */
  static async open(
    trial: Trial,
    name: string,
    channels: Record<Path, string>,
    waitSeconds: number,
  ): Promise<DependentNight> {
    const parent = await trial.newCheck(`above ${name}`, { channels: '' })
    await trial.firstPing(parent)
    const check = await trial.newCheck(name, { channels: 'quiet' })
    const body = JSON.stringify({ depends_on: [parent], depends_wait: waitSeconds })
    const { status } = await trial.callApi('PATCH', `${API}/checks/${check}`, body)
    assert.equal(status, 200)
    return new DependentNight(trial, check, channels, parent)
  }

  /** It goes down and comes up while the other one is down: nobody is sent anything. */
  async overUnderParent(): Promise<void> {
    await this.ping('/fail', this.parent)
    await this.ping('/fail')
    await sleep(Math.random() * 500)
    await this.ping('')
    await this.ping('', this.parent)
  }

  /** It goes down while the other one is down, which is then paused: it is sent from then on, and so is its recovery. */
  async downUnderParent(): Promise<void> {
    await this.ping('/fail', this.parent)
    await this.ping('/fail')
    await sleep(Math.random() * 500)
    const from = this.trial.program.now()
    await this.untilDone(() => this.trial.callApi('POST', `/api/v3/checks/${this.parent}/pause`))
    await this.#arrivesFrom(from)
    await this.ping('', this.parent)
    await this.recover()
  }

  /** It goes down first: it waits, until the other one pings. */
  async downFirst(): Promise<void> {
    await this.ping('/fail')
    await sleep(Math.random() * 1_500)
    const from = this.trial.program.now()
    await this.ping('', this.parent)
    await this.#arrivesFrom(from)
    await this.recover()
  }

  async #arrivesFrom(from: number): Promise<void> {
    const { at } = await this.arrives('quiet', 'down')
    assert.ok(at >= from, `a dependency held the message that arrived ${from - at} ms before its end`)
  }
}
