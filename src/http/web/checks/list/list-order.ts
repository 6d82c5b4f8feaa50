import type { StateCounts } from '../../../../core/checks/check-list.js'

type Counts = Pick<StateCounts, 'down' | 'late'>

/** A check of the page with its rank by trouble; see core/checks/check-list.ts. */
interface Ranked {
  uuid: string
  trouble: number
}

/** The order of a page of the list: whether a check that has changed may have its place elsewhere now. */
export class ListOrder {
  readonly #troubles: Map<string, number>
  #counts: Counts

  constructor({ checks, counts }: { checks: readonly Ranked[]; counts: Counts }) {
    this.#troubles = new Map(checks.map(({ uuid, trouble }) => [uuid, trouble]))
    this.#counts = counts
  }

  /**
   * Whether a check on the page began or ended to be down, late or running long since the last call, or one that is not
   * on it to be down or late. Checks without trouble move only when the page is fetched.
   */
  mayDiffer(changed: readonly Ranked[], counts: Counts): boolean {
    let differs = counts.down !== this.#counts.down || counts.late !== this.#counts.late
    this.#counts = counts
    for (const { uuid, trouble } of changed) {
      if (this.#troubles.get(uuid) !== trouble) differs = true
      this.#troubles.set(uuid, trouble)
    }
    return differs
  }

  /** Whether the page would show other checks. */
  hasOthers(uuids: readonly string[]): boolean {
    return uuids.length !== this.#troubles.size || uuids.some(uuid => !this.#troubles.has(uuid))
  }
}
