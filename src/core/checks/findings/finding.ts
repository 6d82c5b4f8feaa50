/** The input and the result of findings. Source: docs/runs.md, Findings. */
import type { LedgerRun } from '../../pings/run-ledger.js'
import type { Check } from '../check.js'
import type { Settings } from '../check-fields.js'

/** A run of the check's ledger, as findings use it. */
export interface FoundRun extends Pick<LedgerRun, 'startedAt' | 'endedAt' | 'durationMs'> {
  /** Whether its end was a success, however late. */
  succeeded: boolean
}

/** A channel that is alerted of the check. */
export interface ChannelFacts {
  enabled: boolean
  /** Whether a delivery through it is on record: an alert or a test. */
  delivered: boolean
}

/** The facts that findings are based on. */
export interface FindingFacts {
  check: Settings & Pick<Check, 'status' | 'nPings' | 'createdAt'>
  /** The last 100 runs, oldest first. */
  runs: readonly FoundRun[]
  /** The number of open runs. */
  openRuns: number
  channels: readonly ChannelFacts[]
  /** The name of the policy that decides which channels these are; null without one. */
  policy: string | null
  /** Likely time zones: those of the project's people and of its other checks. */
  zones: readonly string[]
  now: number
}

export const FINDING_CODES = [
  'time_zone',
  'early',
  'period',
  'too_often',
  'limit_short',
  'never_pinged',
  'nobody_hears',
  'many_open_runs',
] as const

export type FindingCode = (typeof FINDING_CODES)[number]

/** A setting of a check that may be a mistake. */
export interface Finding {
  code: FindingCode
  /** One sentence with the numbers. */
  evidence: string
  /** The settings that would fix it. */
  patch?: Partial<Settings>
}

/** Looks for one kind of finding. Null: there is none, or not enough data. */
export type Finder = (facts: FindingFacts) => Finding | null
