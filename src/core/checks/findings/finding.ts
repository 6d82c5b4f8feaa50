/** What a finding is made of, and what it says. Source: docs/runs.md, Findings. */
import type { LedgerRun } from '../../pings/run-ledger.js'
import type { Check } from '../check.js'
import type { Settings } from '../check-fields.js'

/** A run as findings read it. */
export interface FoundRun extends Pick<LedgerRun, 'startedAt' | 'endedAt' | 'durationMs'> {
  /** Whether its end was a success, however late. */
  succeeded: boolean
}

/** A channel that the check's alerts go to. */
export interface ChannelFacts {
  enabled: boolean
  /** Whether an alert or a test was ever delivered through it. */
  delivered: boolean
}

/** All that findings go by. */
export interface FindingFacts {
  check: Settings & Pick<Check, 'status' | 'nPings' | 'createdAt'>
  /** The last 100, oldest first. */
  runs: readonly FoundRun[]
  /** How many runs are open. */
  openRuns: number
  channels: readonly ChannelFacts[]
  /** Time zones that are likelier than others: of the people and the other checks. */
  zones: readonly string[]
  now: number
}

export type FindingCode =
  | 'time_zone'
  | 'early'
  | 'period'
  | 'too_often'
  | 'limit_short'
  | 'never_pinged'
  | 'nobody_hears'
  | 'many_open_runs'

/** Something about a check that may be meant otherwise. */
export interface Finding {
  code: FindingCode
  /** A sentence with numbers. */
  evidence: string
  /** The settings that would mend it. */
  patch?: Partial<Settings>
}

/** Looks for one thing. Null: it is not so, or there is too little to tell by. */
export type Finder = (facts: FindingFacts) => Finding | null
