import type { Check } from './check.js'
import type { CheckState } from './check-state.js'

/** A check that is down, in a list across projects. */
export type DownCheck = Check & { project: { uuid: string; name: string }; state: CheckState }
