import type { OnceTimes, RecurringTimes, SilenceMode } from './silence.js'

/** `from`: null for now, or unchanged. */
export type AskedTimes = Unstarted<OnceTimes> | Unstarted<RecurringTimes>

type Unstarted<T extends { from: number }> = Omit<T, 'from'> & { from: number | null }

/** What a silence is to be; checks and channels by their UUIDs. */
export interface AskedSilence {
  mode: SilenceMode
  scope: { checks: readonly string[] } | { tags: readonly string[] } | { project: true }
  channels: readonly string[] | null
  times: AskedTimes
  reason: string
}
