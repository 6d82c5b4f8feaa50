/** The data of the page of a check. */
import type { Check } from '../core/checks/check.js'
import type { CheckState } from '../core/checks/check-state.js'
import type { Finding } from '../core/checks/findings/index.js'
import type { Run, UsualDuration } from '../core/checks/history/run-strip.js'
import type { TimelinePing } from '../core/checks/history/timeline.js'
import type { DayBar, MonthUptime } from '../core/checks/history/uptime.js'
import type { Arrival } from '../core/checks/setup/arrival.js'
import type { SetupSteps } from '../core/checks/setup/steps.js'
import type { LinkedCheck } from '../core/incidents/dependency-tree.js'
import type { ExplainedChannel } from '../core/incidents/explanation.js'
import type { ListedIncident } from '../core/incidents/listed-incident.js'
import type { RunEntry } from '../core/pings/run-entries.js'
import type { ShownSilence } from '../core/silences/shown-silence.js'
import type { ShownChannel } from './components/channels/channel-toggle.js'
import type { ShownOutput } from './components/pings/last-output.js'
import type { PageContext } from './page-context.js'
import type { ShownRuns } from './timeline-query.js'

/** The steps that set up a new check, as its page shows them. */
export interface ShownSetup {
  steps: SetupSteps
  /** The first ping, if it is known. */
  arrival: Arrival | null
  /** Those that its alerts are sent to; `error`: of the last message to them. */
  receivers: readonly { name: string; disabled: boolean; arrived: boolean; error: string }[]
  /** The reader's address, if it can be added as an integration. */
  ownAddress: string | null
}

export interface CheckPageProps {
  page: PageContext
  /** See http/web/live/live.ts. */
  version: string
  check: Check
  state: CheckState
  /** The file of configuration that owns it. */
  managedBy: string | null
  findings: readonly Finding[]
  /** The silences that concern the check and are not over. */
  silences: readonly ShownSilence[]
  /** The latest, newest first. */
  incidents: readonly ListedIncident[]
  /** What its integrations were sent and what is held, while it is down or one on which it depends is. */
  alerts: readonly ExplainedChannel[]
  /** Of the failure that took the check down, if it reported one. */
  exitStatus: number | null
  /** The duration of the run whose end took it down, if it is known. */
  tookMs: number | null
  months: readonly (MonthUptime | null)[]
  days: readonly DayBar[]
  runs: readonly Run[]
  usual: UsualDuration | null
  output: ShownOutput | null
  channels: readonly (ShownChannel & { on: boolean; disabled: boolean })[]
  /** The policy that applies to it, in words; `isNamed`: not as the default of the project. Null without one. */
  policy: { id: number; name: string; isNamed: boolean; words: string } | null
  logos: Readonly<Record<string, string>>
  /** `email` is null if the installation receives no e-mail. */
  addresses: { uuid: string; slug: string | null; email: string | null; script: string; sameSlug: number }
  /** Null if it is not new, or if the reader has closed the steps or may not change it. */
  setup: ShownSetup | null
  /** Whether the reader has closed the steps of a check that would show them. */
  isSetupClosed: boolean
  /** Whether the reader asked for all snippets. */
  snippets: boolean
  /** Newest first. */
  entries: readonly RunEntry<TimelinePing>[]
  /** `before` of the page of older runs; null if there are none. */
  older: string | null
  /** The page of runs that is shown. */
  shown: ShownRuns
  /** The checks on which it depends, and some of those that depend on it. */
  dependencies: { parents: readonly LinkedCheck[]; children: readonly LinkedCheck[]; more: number }
  /** The projects to which the check can be moved. */
  targets: readonly { uuid: string; name: string }[]
  /** Whether the reader may give it push tokens with which jobs can ping it. */
  takesPushTokens: boolean
}
