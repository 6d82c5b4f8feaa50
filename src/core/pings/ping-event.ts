/** A ping as the rules see it, and what it does. */
import type { State } from '../checks/check.js'
import type { Flip } from '../checks/flip.js'
import type { Cause } from '../checks/health/cause.js'
import type { PassedDeadline } from '../checks/health/judge.js'

/** What a ping says. `ign` is logged and changes nothing. */
export type Action = 'success' | 'start' | 'fail' | 'log' | 'ign'

/** A ping that counts, at its instant (ms). `durationMs`: how long the run took by the client's clock, or null. */
export interface PingEvent {
  action: 'start' | 'success' | 'fail'
  rid: string | null
  at: number
  durationMs: number | null
}

/** A ping as it arrived: what it says, and when (ms). */
export interface SignalledPing {
  action: Action
  rid: string | null
  arrivedAt: number
  /** How long (ms) the run took by the client's clock, or null. */
  durationMs: number | null
}

/** What one ping does: the state after it, the kind it is logged as, what happens to its check, and its instant (ms). */
export interface PingEffect {
  state: State
  action: Action
  /** Of a failure: why. */
  cause: Cause | null
  flips: readonly Flip[]
  /** The deadlines that had passed before it came. */
  passed: readonly PassedDeadline[]
  at: number
}
