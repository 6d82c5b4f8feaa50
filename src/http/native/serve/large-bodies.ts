import { Refusal } from '../../../core/errors.js'
import { FairQueue } from '../../../lib/fair/fair-queue.js'
import { FairShare } from '../../../lib/fair/fair-share.js'
import { TooManyRequests } from '../../errors.js'

/** From this many bytes on, the body of an operation that takes very many values is large. */
export const LARGE_BODY = 65_536

/** The most requests with large bodies at once, waiting or not: their bodies are in memory. Of these a project gets a fair share. */
const MOST = 32

/** How many of them are carried out at once: what is made of a body takes up to forty times as much memory. */
const AT_ONCE = { inAll: 3, perKey: 1 }

/** After how long (s) one that found no place may be sent again. */
const WAIT_SECONDS = 10

/** The turns of requests with large bodies, by project. */
export class LargeBodies {
  readonly #places = new FairShare<number>(MOST)
  readonly #turns = new FairQueue<number>(AT_ONCE)

  /**
   * Runs `work` when its turn comes. Throws `TooManyRequests` if too many wait, and a `Refusal` if nobody waits for the answer any more
   * (`isWanted`).
   */
  async run<R>(projectId: number, isWanted: () => boolean, work: () => Promise<R>): Promise<R> {
    if (!this.#places.hasPlace(projectId))
      throw new TooManyRequests(WAIT_SECONDS, 'too many requests with large bodies wait for each other')
    this.#places.take(projectId)
    try {
      return await this.#turns.run(projectId, async () => {
        if (!isWanted()) throw new Refusal('gone', 'nobody waits for the answer')
        return await work()
      })
    } finally {
      this.#places.giveBack(projectId)
    }
  }
}
