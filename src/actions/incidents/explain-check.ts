import type { Explanation } from '../../core/incidents/explanation.js'
import { SpacedQueue } from '../../lib/fair/spaced-queue.js'
import type { CheckRef } from '../../storage/checks/find-check.js'
import type { StoreWith } from '../../storage/store.js'

export interface ExplainDeps {
  store: StoreWith<'incidents.explain'>
}

/**
 * Large ones take tens of milliseconds of the event loop, for which pings and alerts wait, and one project can ask for fifty a second: together
 * they have half of the time.
 */
const turns = new SpacedQueue<number>()

/** What `show` makes of why an alert about a check was or was not sent, when its project's turn comes. Throws as `incidents.explain`. */
export async function explainCheck<Shown>(
  { store }: ExplainDeps,
  { projectId, ref, now }: { projectId: number; ref: CheckRef; now: number },
  show: (explanation: Explanation) => Shown,
): Promise<Shown> {
  return await turns.run(projectId, async () => show(await store.incidents.explain(projectId, ref, now)))
}
