import { type EscalateDeps, escalate } from '../actions/incidents/escalate.js'
import { Slices, TRANSACTION_MS } from '../lib/slices.js'
import { type Failed, SetAside } from '../storage/set-aside.js'
import { Loop } from './loop.js'

export interface EscalationDeps extends Omit<EscalateDeps, 'slices' | 'aside' | 'isEnding'> {
  /** Called when an incident cannot be looked at, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
  onError(error: unknown): void
}

/** Watches the policies of open incidents: sleeps until the earliest step or repeat, and asks for those that are due. */
export function escalationJob(deps: EscalationDeps) {
  const aside = new SetAside('incident', deps.onSetAside)
  const slices = new Slices(TRANSACTION_MS.escalation)
  let isEnding = false
  const look = () => escalate({ ...deps, slices, aside, isEnding: () => isEnding })
  const loop = new Loop(look, deps.clock, deps.onError)
  return {
    /** The number of incidents that cannot be looked at. */
    setAside: () => aside.ids.length,
    start() {
      isEnding = false
      loop.start()
    },
    async stop() {
      isEnding = true
      await loop.stop()
    },
  }
}
