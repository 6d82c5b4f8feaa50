/** What the page of one check is given. */
import type { Check } from '../core/checks/check.js'
import type { CheckState } from '../core/checks/check-state.js'
import type { Finding } from '../core/checks/findings/index.js'
import type { Run, UsualDuration } from '../core/checks/run-strip.js'
import type { TimelinePage } from '../core/checks/timeline.js'
import type { DayBar, MonthUptime } from '../core/checks/uptime.js'
import type { ShownChannel } from './components/channels/channel-toggle.js'
import type { PageContext } from './page-context.js'
import type { ShownTimeline } from './timeline-query.js'

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
  timeline: TimelinePage
  /** The page's own address, after the check's: what of the timeline is shown. */
  shown: ShownTimeline
  /** Projects that the check may go to. */
  targets: readonly { uuid: string; name: string }[]
}
