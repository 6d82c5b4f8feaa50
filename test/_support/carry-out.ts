import assert from 'node:assert/strict'
import { carryOutPlans, type DroppedPlan } from '../../src/actions/checks/carry-out-plans.js'
import type { Store } from '../../src/storage/store.js'
import type { FakeClock } from './clock.js'

/** Carries out the planned changes that are due, without an error. Returns those that were dropped. */
export async function carryOut({ store, clock }: { store: Store; clock: FakeClock }): Promise<DroppedPlan[]> {
  const dropped: DroppedPlan[] = []
  await carryOutPlans({ store, clock, onDropped: plan => dropped.push(plan), onError: assert.ifError })
  return dropped
}

/** The same when the time to undo what has just been planned is over. */
export async function carryOutLater(world: { store: Store; clock: FakeClock }): Promise<DroppedPlan[]> {
  world.clock.advance(15)
  return await carryOut(world)
}
