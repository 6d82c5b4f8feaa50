import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { DuePlan } from '../../storage/checks/undos.js'
import type { StoreWith } from '../../storage/store.js'

export interface CarryOutDeps {
  store: StoreWith<
    'checks.nextUndoEnd' | 'checks.endUndos' | 'checks.dropUndo' | 'checks.delete' | 'checks.move'
  >
  clock: Clock
  onError(error: unknown): void
}

/**
 * Carries out the deletions and moves that can no longer be undone. One that fails is tried again after a minute.
 * Returns the next instant (ms) at which the time of one is over, or null.
 */
export async function carryOutPlans({ store, clock, onError }: CarryOutDeps): Promise<number | null> {
  for (;;) {
    const next = await store.checks.nextUndoEnd()
    const now = clock.now()
    if (next === null || next > now) return next
    for (const plan of await store.checks.endUndos(now)) {
      try {
        for (const uuid of plan.checks) await carryOut(store, plan, uuid, now)
        await store.checks.dropUndo(plan.uuid)
      } catch (error) {
        onError(error)
      }
    }
  }
}

async function carryOut(
  store: CarryOutDeps['store'],
  plan: DuePlan,
  uuid: string,
  now: number,
): Promise<void> {
  const { projectId } = plan
  try {
    if (plan.plan === 'delete') await store.checks.delete(projectId, uuid, now)
    else await store.checks.move({ projectId, uuid, targetId: plan.target, now })
  } catch (error) {
    // A program has deleted it or moved it away in the meantime.
    if (!(error instanceof Refusal)) throw error
  }
}
