import { type EscalateDeps, escalate } from '../actions/incidents/escalate.js'
import { Slices, TRANSACTION_MS } from '../lib/slices.js'
import { Loop } from './loop.js'

/** Watches the policies of open incidents: sleeps until the earliest step or repeat, and asks for those that are due. */
export function escalationJob(deps: Omit<EscalateDeps, 'slices'> & { onError(error: unknown): void }) {
  const slices = new Slices(TRANSACTION_MS.escalation)
  const loop = new Loop(() => escalate({ ...deps, slices }), deps.clock, deps.onError)
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}
