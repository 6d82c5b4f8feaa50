/** Whose turn it is: projects one after the other, and the channels of a project one after the other. Decision 0103. */

import { RecentMap } from '../lib/recent-map.js'
import { roundRobin } from '../lib/round-robin.js'

/** A channel with something due. */
export interface Waiting {
  id: number
  projectId: number
}

/** So many projects and channels are remembered; those that had their turn before them come first anyway. */
const REMEMBERED = 10_000

export class Turns {
  #turn = 0
  readonly #ofProject = new RecentMap<number, number>(REMEMBERED)
  readonly #ofChannel = new RecentMap<number, number>(REMEMBERED)

  /**
   * The channels in the order of their turns: first those of projects that had theirs longest ago, one of each project,
   * then the second of each, and so on.
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

  /** Notes that a channel has its turn. */
  took({ id, projectId }: Waiting): void {
    this.#turn++
    this.#ofProject.set(projectId, this.#turn)
    this.#ofChannel.set(id, this.#turn)
  }
}
