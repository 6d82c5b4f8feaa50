import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { DuePlan } from '../../storage/checks/undos.js'
import { actingStore } from '../../storage/events/acting.js'
import type { StoreWith } from '../../storage/store.js'

/** A planned change that was not carried out. */
export interface DroppedPlan {
  plan: 'delete' | 'move'
  /** Such as "its author may not change things there any more". */
  reason: string
  /** The UUIDs of the checks that stay as they are. */
  checks: readonly string[]
}

export interface CarryOutDeps {
  store: StoreWith<
    'checks.nextUndoEnd' | 'checks.endUndos' | 'checks.dropUndo' | 'checks.delete' | 'checks.move'
  >
  clock: Clock
  onDropped(dropped: DroppedPlan): void
  onError(error: unknown): void
}

/**
 * Carries out the deletions and moves that can no longer be undone. One that fails is tried again after a minute.
 * Returns the next instant (ms) at which the time of one is over, or null.
 */
export async function carryOutPlans(deps: CarryOutDeps): Promise<number | null> {
  const { store, clock, onError } = deps
  for (;;) {
    const next = await store.checks.nextUndoEnd()
    const now = clock.now()
    if (next === null || next > now) return next
    for (const plan of await store.checks.endUndos(now)) {
      try {
        await carryOut({ ...deps, store: actingStore(store, plan.actor) }, plan, now)
        await store.checks.dropUndo(plan.uuid)
      } catch (error) {
        onError(error)
      }
    }
  }
}

/** The author must still have the right to do it, as if they did it now: the write itself finds out. */
async function carryOut({ store, onDropped }: CarryOutDeps, due: DuePlan, now: number): Promise<void> {
  const { plan, checks, projectId } = due
  const by = { plannerId: due.userId }
  for (const [at, uuid] of checks.entries()) {
    try {
      if (due.plan === 'delete') await store.checks.delete(projectId, uuid, now, by)
      else await store.checks.move({ projectId, uuid, targetId: due.target, now, by })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'forbidden') {
        const reason = 'its author may no longer change that project, or the project was deleted'
        return onDropped({ plan, reason, checks: checks.slice(at) })
      }
      // Otherwise a program has deleted it or moved it away in the meantime.
      if (error.code === 'limit') onDropped({ plan, reason: error.message, checks: [uuid] })
    }
  }
}
