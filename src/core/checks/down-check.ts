import type { Acknowledgement } from '../incidents/listed-incident.js'
import type { Check } from './check.js'
import type { CheckState } from './check-state.js'

/** A check that is down, in a list across projects. */
export type DownCheck = Check & {
  project: { uuid: string; name: string }
  state: CheckState
  /** Of the failure that took it down, if it reported one. */
  exitStatus: number | null
  /** Of its open incident. */
  acknowledged: Acknowledgement | null
}
