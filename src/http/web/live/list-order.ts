import type { StateCounts } from '../../../core/checks/check-list.js'
import type { ListedCheck } from '../../../core/checks/listed-check.js'

type Counts = Pick<StateCounts, 'down' | 'late'>
type Stated = Pick<ListedCheck, 'uuid' | 'status'>

/** The order of a page of the list: whether a check that has changed may have its place elsewhere now. */
export class ListOrder {
  readonly #statuses: Map<string, string>
  #counts: Counts

  constructor({ checks, counts }: { checks: readonly Stated[]; counts: Counts }) {
    this.#statuses = new Map(checks.map(({ uuid, status }) => [uuid, troubleOf(status)]))
    this.#counts = counts
  }

  /** Whether a check, on the page or not, began or ended to be down or late since the last call. */
  mayDiffer(changed: readonly Stated[], counts: Counts): boolean {
    let differs = counts.down !== this.#counts.down || counts.late !== this.#counts.late
    this.#counts = counts
    for (const { uuid, status } of changed) {
      const trouble = troubleOf(status)
      if (this.#statuses.get(uuid) !== trouble) differs = true
      this.#statuses.set(uuid, trouble)
    }
    return differs
  }

  /** Whether the page would show other checks. */
  hasOthers(uuids: readonly string[]): boolean {
    return uuids.length !== this.#statuses.size || uuids.some(uuid => !this.#statuses.has(uuid))
  }
}

/** The same for all that is well, because that moves only for order's sake. */
function troubleOf(status: Stated['status']): string {
  return status === 'down' || status === 'grace' ? status : ''
}
