import type { CheckState } from './check-state.js'

/** A check that is down, as a list over several projects shows it. */
export interface DownCheck {
  uuid: string
  name: string
  project: { uuid: string; name: string }
  lastPing: number | null
  lastDurationMs: number | null
  nPings: number
  graceSeconds: number
  manualResume: boolean
  state: CheckState
}
