import { type CarryOutDeps, carryOutPlans } from '../actions/checks/carry-out-plans.js'
import { Loop } from './loop.js'

/** Carries out deletions and moves when the time to undo them is over. */
export function plansJob(deps: CarryOutDeps) {
  const loop = new Loop(() => carryOutPlans(deps), deps.clock, deps.onError)
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}
