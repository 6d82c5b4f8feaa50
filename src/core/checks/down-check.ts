import type { Check } from './check.js'
import type { CheckState } from './check-state.js'

/** A check that is down, as a list over several projects shows it. */
export type DownCheck = Check & { project: { uuid: string; name: string }; state: CheckState }
