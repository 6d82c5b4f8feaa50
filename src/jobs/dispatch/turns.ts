/** The order of turns: projects take turns, and so do the channels of a project. Decision 0103. */

import { roundRobin } from '../../lib/fair/round-robin.js'
import { RecentMap } from '../../lib/recent-map.js'

/** A channel with something due. */
export interface Waiting {
  id: number
  projectId: number
}

/**
 * The maximum number of projects and channels that are remembered; the forgotten ones had their turn so long ago that
 * they come first anyway.
 */
const REMEMBERED = 10_000

export class Turns {
  #turn = 0
  readonly #ofProject = new RecentMap<number, number>(REMEMBERED)
  readonly #ofChannel = new RecentMap<number, number>(REMEMBERED)

  /**
   * The channels in the order of their turns. Projects whose last turn is longest ago come first, with one channel of
   * each project, then the second of each, and so on.
   */
  inOrder<T extends Waiting>(channels: readonly T[]): T[] {
    const lastOf = (turns: RecentMap<number, number>, id: number) => turns.get(id) ?? 0
    const byTurn = channels.toSorted(
      (a, b) =>
        lastOf(this.#ofProject, a.projectId) - lastOf(this.#ofProject, b.projectId) ||
        lastOf(this.#ofChannel, a.id) - lastOf(this.#ofChannel, b.id),
    )
    return roundRobin(byTurn, ({ projectId }) => projectId)
  }

  /** Notes that a channel had its turn. */
  took({ id, projectId }: Waiting): void {
    this.#turn++
    this.#ofProject.set(projectId, this.#turn)
    this.#ofChannel.set(id, this.#turn)
  }
}
