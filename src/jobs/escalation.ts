import { type EscalateDeps, escalate } from '../actions/incidents/escalate.js'
import { Loop } from './loop.js'

/** Watches the policies of open incidents: sleeps until the earliest step or repeat, and asks for those that are due. */
export function escalationJob(deps: EscalateDeps & { onError(error: unknown): void }) {
  const loop = new Loop(() => escalate(deps), deps.clock, deps.onError)
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}
