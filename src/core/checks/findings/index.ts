/** The findings about a check: settings that may be mistakes. They are computed on request, never with a ping. */
import type { FlipReason } from '../flip.js'
import { early } from './early.js'
import type { Finder, Finding, FindingCode, FindingFacts } from './finding.js'
import { limitShort } from './limit-short.js'
import { manyOpenRuns } from './many-open-runs.js'
import { neverPinged } from './never-pinged.js'
import { nobodyHears } from './nobody-hears.js'
import { period } from './period.js'
import { timeZone } from './time-zone.js'
import { tooOften } from './too-often.js'

export type { ChannelFacts, Finding, FindingCode, FindingFacts, FoundRun } from './finding.js'
export { foundRuns } from './found-runs.js'
export {
  type Expectation,
  expectationOf,
  expectationWith,
  type SettingChange,
  settingChanges,
} from './proposal.js'

/** In the order in which findings are shown. */
const FINDERS: Record<FindingCode, Finder> = {
  time_zone: timeZone,
  early,
  period,
  too_often: tooOften,
  limit_short: limitShort,
  never_pinged: neverPinged,
  nobody_hears: nobodyHears,
  many_open_runs: manyOpenRuns,
}

/** All findings about a check. */
export function findingsOf(facts: FindingFacts): Finding[] {
  return Object.values(FINDERS).flatMap(find => find(facts) ?? [])
}

/** The findings that can explain why a check went down, by the reason. */
const EXPLAINED_BY: Partial<Record<FlipReason, readonly FindingCode[]>> = {
  missed: ['time_zone', 'early', 'period'],
  overrun: ['limit_short', 'many_open_runs'],
}

/** Whether a finding may explain why a check goes down for this reason. */
export function isExplainable(reason: FlipReason): boolean {
  return EXPLAINED_BY[reason] !== undefined
}

/** The finding that explains why the check went down, or null. */
export function explanationOf(reason: FlipReason, facts: FindingFacts): Finding | null {
  for (const code of EXPLAINED_BY[reason] ?? []) {
    const found = FINDERS[code](facts)
    if (found) return found
  }
  return null
}
