import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'
import { OneAtATime } from './one-at-a-time.js'

/** The caller of the rows that hold turns: nobody has this digest. */
const HOLDER = 'If-Match'

/** How often another process is asked whether its change is over, and for how long. */
const ASK_MS = 20
const LONGEST_MS = 10_000

type Requests = StoreWith<'projects.beginApiRequest' | 'projects.endApiRequest'>

/**
 * Lets changes of the same resource with If-Match follow each other, in all processes. Between processes, a change is
 * a running request under the name of the resource; one of a process that died is over after a minute.
 */
export class ChangeTurns {
  readonly #here = new OneAtATime()

  constructor(
    private readonly store: Requests,
    private readonly clock: Clock,
  ) {}

  /** Throws `Refusal('conflict')` if another process does not finish its change. */
  async run<T>(resource: string, change: () => Promise<T>): Promise<T> {
    return await this.#here.run(resource, async () => {
      const turn = { caller: HOLDER, key: digestOf(resource) }
      await this.#begin(turn)
      try {
        return await change()
      } finally {
        await this.store.projects.endApiRequest(turn, null)
      }
    })
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
