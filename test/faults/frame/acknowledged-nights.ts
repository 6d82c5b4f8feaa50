/** Nights in which somebody acknowledges the incident. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { API, Night } from './nights.js'

/** Long enough for the program to start again before the end. */
const UNTIL_MS = 10_000

export class AcknowledgedNight extends Night {
  /** A policy repeats the alert until that is acknowledged; the recovery is sent. */
  async acknowledged(): Promise<void> {
    await this.ping('/fail')
    await this.arrives('quiet', 'down')
    const incident = await this.#openIncident()
    // One that was opened again keeps its acknowledgement.
    await this.untilDone(() => this.trial.callApi('DELETE', `${incident}/acknowledge`), 409)
    await sleep(Math.random() * 2_000)
    await this.untilDone(() => this.trial.callApi('POST', `${incident}/acknowledge`, '{}'))
    const from = this.trial.program.now()
    await sleep(Math.random() * 3_000)
    const keys = new Map(
      this.arrivals('quiet')
        .toReversed()
        .map(({ key, at }) => [key, at]),
    )
    const after = [...keys.values()].filter(at => at > from)
    // What was under way then arrives, perhaps after a kill.
    assert.ok(after.length <= 1, `${after.length} repeats came after the acknowledgement`)
    await this.recover()
  }

  /** The alert is sent once more when the acknowledgement ends. */
  async acknowledgedForAWhile(): Promise<void> {
    await this.ping('/fail')
    await this.arrives('quiet', 'down')
    const incident = await this.#openIncident()
    const before = await this.#acknowledgements(incident)
    do {
      const until = new Date(this.trial.program.now() + UNTIL_MS).toISOString()
      const body = JSON.stringify({ until })
      await this.trial.callApi('POST', `${incident}/acknowledge`, body).catch(() => null)
      // Whether it was done is not known without an answer, and twice would be repeated twice.
    } while ((await this.#acknowledgements(incident)) === before)
    await this.arrives('quiet', 'down')
    await this.recover()
  }

  async #openIncident(): Promise<string> {
    const path = `${API}/incidents?open=true&check=${this.check}`
    const { body } = await this.untilDone(() => this.trial.callApi('GET', path))
    const { items } = JSON.parse(body) as { items: { id: number }[] }
    assert.equal(items.length, 1)
    return `${API}/incidents/${items[0]!.id}`
  }

  async #acknowledgements(incident: string): Promise<number> {
    const { body } = await this.untilDone(() => this.trial.callApi('GET', incident))
    const { timeline } = JSON.parse(body) as { timeline: { type: string }[] }
    return timeline.filter(({ type }) => type === 'acknowledged').length
  }
}
