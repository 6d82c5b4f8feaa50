/** A ping as the rules see it, and its effect. */
import type { State } from '../checks/check.js'
import type { Flip } from '../checks/flip.js'
import type { Cause } from '../checks/health/cause.js'
import type { PassedDeadline } from '../checks/health/judge.js'

/** The action of a ping. `ign` is logged and changes nothing. */
export type Action = 'success' | 'start' | 'fail' | 'log' | 'ign'

/** A counted ping, at its instant (ms). `durationMs`: the duration of the run by the client's clock, or null. */
export interface PingEvent {
  action: 'start' | 'success' | 'fail'
  rid: string | null
  at: number
  durationMs: number | null
}

/** A ping that arrived: its action and its time (ms). */
export interface SignalledPing {
  action: Action
  rid: string | null
  arrivedAt: number
  /** The duration of the run (ms) by the client's clock, or null. */
  durationMs: number | null
}

/** A ping that its sender has dated. */
export interface BackDatedPing extends SignalledPing {
  /** When it was to be sent (ms), by the sender's clock. */
  ranAt: number
}

/** The effect of a ping: the state after it, the action that is logged, the flips, and its instant (ms). */
export interface PingEffect {
  state: State
  action: Action
  /** The cause of a failure. */
  cause: Cause | null
  flips: readonly Flip[]
  /** The deadlines that had passed before it arrived. */
  passed: readonly PassedDeadline[]
  at: number
}
