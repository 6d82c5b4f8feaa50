import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'
import { TooManyRequests } from '../../errors.js'
import { OneAtATime } from './one-at-a-time.js'

/** The caller of the rows that hold turns: nobody has this digest. */
const HOLDER = 'If-Match'

/** How often another process is asked whether its change is over, and for how long. */
const ASK_MS = 20
const LONGEST_MS = 10_000

/** The most changes of one caller that wait for others of the same resource, and after how long (s) one beyond them may be sent again. */
const MOST = 100
const WAIT_SECONDS = 1

type Requests = StoreWith<'projects.beginApiRequest' | 'projects.endApiRequest'>

/**
 * Lets changes of the same resource with If-Match follow each other, in all processes. Between processes, a change is
 * a running request under the name of the resource; one of a process that died is over after a minute.
 */
export class ChangeTurns {
  readonly #here = new OneAtATime()
  readonly #counts = new Map<string, number>()

  constructor(
    private readonly store: Requests,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `change` when its turn comes. Throws `Refusal('conflict')` if another process does not finish its change, and `TooManyRequests` if too many
   * of this caller wait.
   */
  async run<T>(resource: string, caller: string, change: () => Promise<T>): Promise<T> {
    if (!this.#here.has(resource)) return await this.#inTurn(resource, change)
    if ((this.#counts.get(caller) ?? 0) >= MOST) {
      throw new TooManyRequests(WAIT_SECONDS, 'too many of your changes with If-Match wait for each other')
    }
    this.#count(caller, 1)
    try {
      return await this.#inTurn(resource, change)
    } finally {
      this.#count(caller, -1)
    }
  }

  async #inTurn<T>(resource: string, change: () => Promise<T>): Promise<T> {
    return await this.#here.run(resource, async () => await this.#alone(resource, change))
  }

  async #alone<T>(resource: string, change: () => Promise<T>): Promise<T> {
    const turn = { caller: HOLDER, key: digestOf(resource) }
    await this.#begin(turn)
    try {
      return await change()
    } finally {
      await this.store.projects.endApiRequest(turn, null)
    }
  }

  #count(caller: string, change: 1 | -1): void {
    const count = (this.#counts.get(caller) ?? 0) + change
    if (count > 0) this.#counts.set(caller, count)
    else this.#counts.delete(caller)
  }

  async #begin(turn: { caller: string; key: string }): Promise<void> {
    const until = performance.now() + LONGEST_MS
    for (;;) {
      const asked = { ...turn, request: '', now: this.clock.now() }
      if ((await this.store.projects.beginApiRequest(asked)).is === 'begun') return
      if (performance.now() > until) throw new Refusal('conflict', 'it is being changed by another request')
      await sleep(ASK_MS)
    }
  }
}
