/** What the page of one check is given. */
import type { Check } from '../core/checks/check.js'
import type { CheckState } from '../core/checks/check-state.js'
import type { Finding } from '../core/checks/findings/index.js'
import type { Run, UsualDuration } from '../core/checks/run-strip.js'
import type { TimelinePing } from '../core/checks/timeline.js'
import type { DayBar, MonthUptime } from '../core/checks/uptime.js'
import type { RunEntry } from '../core/pings/run-entries.js'
import type { ShownChannel } from './components/channels/channel-toggle.js'
import type { PageContext } from './page-context.js'
import type { ShownRuns } from './timeline-query.js'

export interface CheckPageProps {
  page: PageContext
  /** See http/web/live/live.ts. */
  version: string
  check: Check
  state: CheckState
  findings: readonly Finding[]
  /** Of the failure that took it down, where it said one. */
  exitStatus: number | null
  months: readonly (MonthUptime | null)[]
  days: readonly DayBar[]
  runs: readonly Run[]
  usual: UsualDuration | null
  output: { n: number; at: number; text: string; shortened: boolean } | null
  told: readonly { at: number; channel: { name: string; kind: string }; error: string }[]
  channels: readonly (ShownChannel & { on: boolean; disabled: boolean })[]
  logos: Readonly<Record<string, string>>
  /** `email` is null where no e-mail is taken in. */
  addresses: { uuid: string; slug: string | null; email: string | null; sameSlug: number }
  /** Newest first. */
  entries: readonly RunEntry<TimelinePing>[]
  /** `before` of the page of older runs; null where there are none. */
  older: string | null
  /** Which of the runs are shown. */
  shown: ShownRuns
  /** Projects that the check may go to. */
  targets: readonly { uuid: string; name: string }[]
}
