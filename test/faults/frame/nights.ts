/** Checks that go down and come up while silences and policies are in use, over and over, while the program may be killed. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arrival } from './receiver.js'
import type { Trial } from './trial.js'

export const API = '/api/punctual/v1'
const PATIENCE_MS = 180_000

/** The paths of the receiver: the check's own channel, and one that only a policy reaches. */
export type Path = 'quiet' | 'pager'

/** One check and what its channels must have been sent: the statuses of messages with different keys, in order. */
export class Night {
  readonly #expected: Record<Path, string[]> = { quiet: [], pager: [] }
  cycles = 0

  constructor(
    protected readonly trial: Trial,
    readonly check: string,
    /** Channels by path. */
    private readonly channels: Record<Path, string>,
    /** Whether a policy repeats alerts: then several in a row count as one. */
    private readonly repeats: boolean,
  ) {}

  /** It goes down and comes up in a silence: nobody is sent anything. */
  async heldAndOver(): Promise<void> {
    await this.#silence()
    await this.ping('/fail')
    await sleep(Math.random() * 500)
    await this.ping('')
    await this.#endSilences()
  }

  /** It goes down in a silence, which then ends: it is sent from then on, and so is its recovery. */
  async heldAndDown(): Promise<void> {
    await this.#silence()
    await this.ping('/fail')
    await sleep(Math.random() * 500)
    const from = this.trial.program.now()
    await this.#endSilences()
    const { at } = await this.arrives('quiet', 'down')
    assert.ok(at >= from, `a silence held the message that arrived ${from - at} ms before its end`)
    await this.recover()
  }

  /** It was sent that it is down, and comes up in a silence: that is sent at once. */
  async recoversInSilence(): Promise<void> {
    await this.ping('/fail')
    await this.arrives('quiet', 'down')
    await this.#silence()
    await this.recover()
    await this.#endSilences()
  }

  /** It is down before and after a silence: that is sent once. */
  async downBeforeAndAfter(): Promise<void> {
    await this.ping('/fail')
    await this.arrives('quiet', 'down')
    await this.#silence()
    await sleep(Math.random() * 500)
    await this.#endSilences()
    await this.recover()
  }

  /** A policy alerts the pager after a time, which a silence may prolong, and both again and again. */
  async escalates(): Promise<void> {
    const isHeld = Math.random() < 0.5
    if (isHeld) await this.#silence()
    await this.ping('/fail')
    if (isHeld) {
      await sleep(Math.random() * 3_000)
      await this.#endSilences()
    }
    await this.arrives('quiet', 'down')
    await this.arrives('pager', 'down')
    await sleep(Math.random() * 3_000)
    await this.recover('pager')
  }

  /** Throws unless exactly what had to be sent was, each message with one key. Returns how many messages there were. */
  audit(): number {
    let messages = 0
    for (const path of ['quiet', 'pager'] as const) {
      const keys = new Map(this.arrivals(path).map(({ key, body }) => [key, statusOf(body)]))
      const sent = [...keys.values()].filter(
        (status, index, all) => !this.repeats || status !== all[index - 1],
      )
      assert.deepEqual(sent, this.#expected[path], `what ${path} was sent about ${this.check}`)
      messages += keys.size
    }
    return messages
  }

  protected async recover(...also: Path[]): Promise<void> {
    await this.ping('')
    for (const path of ['quiet', ...also] as const) await this.arrives(path, 'up')
  }

  /** Waits for one more message through the channel. */
  protected async arrives(path: Path, status: 'down' | 'up'): Promise<Arrival> {
    this.#expected[path].push(status)
    const before = this.#expected[path].filter(one => one === status).length
    return await this.trial.eventually(`that ${path} is sent ${status}`, () => {
      const seen = new Set<string>()
      let turns = 0
      let last = ''
      for (const arrival of this.arrivals(path)) {
        const is = statusOf(arrival.body)
        if (seen.has(arrival.key) || (this.repeats && is === last)) continue
        seen.add(arrival.key)
        last = is
        if (is === status && ++turns === before) return arrival
      }
      return null
    })
  }

  protected arrivals(path: Path): Arrival[] {
    const { arrivals } = this.trial.receiver
    return arrivals.filter(one => one.path === path && one.body.startsWith(`${this.check} `))
  }

  protected async ping(action: string, check = this.check): Promise<void> {
    await this.untilDone(async () => ({ status: await this.trial.ping(check, action), body: '' }))
  }

  async #silence(): Promise<void> {
    const to = new Date(Date.now() + 3_600_000).toISOString()
    const asked = {
      mode: 'hold',
      scope: { checks: [this.check] },
      channels: Object.values(this.channels),
      when: { to },
      reason: 'night',
    }
    await this.untilDone(() => this.trial.callApi('POST', `${API}/silences`, JSON.stringify(asked)))
  }

  /** There are several where one was created although it was not answered. */
  async #endSilences(): Promise<void> {
    const { body } = await this.untilDone(() => this.trial.callApi('GET', `${API}/silences?limit=200`))
    const { items: silences } = JSON.parse(body) as { items: { id: number; scope: { checks?: string[] } }[] }
    for (const { id } of silences.filter(({ scope }) => scope.checks?.includes(this.check))) {
      await this.untilDone(() => this.trial.callApi('DELETE', `${API}/silences/${id}`))
    }
  }

  /** Repeats a request until it is answered, because the program may not run. `or`: a refusal that is as good. */
  protected async untilDone<T extends { status: number; body: string }>(
    ask: () => Promise<T>,
    or = 200,
  ): Promise<T> {
    for (const from = Date.now(); ; ) {
      const answer = await ask().catch(() => null)
      if (answer && ((answer.status >= 200 && answer.status < 300) || answer.status === or)) return answer
      if (answer && answer.status !== 0 && answer.status !== 503) throw new Error(answer.body)
      if (Date.now() - from > PATIENCE_MS) throw new Error('the program does not answer')
      await sleep(50)
    }
  }
}

/** The body is `UUID status`. */
function statusOf(body: string): string {
  return body.split(' ')[1]!
}
