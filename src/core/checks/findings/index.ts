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
const FINDERS: readonly Finder[] = [
  timeZone,
  early,
  period,
  tooOften,
  limitShort,
  neverPinged,
  nobodyHears,
  manyOpenRuns,
]

/** All findings about a check. */
export function findingsOf(facts: FindingFacts): Finding[] {
  return FINDERS.flatMap(find => find(facts) ?? [])
}

/** The findings that can explain why a check went down, by the reason. */
const EXPLAINED_BY: Partial<Record<FlipReason, readonly FindingCode[]>> = {
  missed: ['time_zone', 'early', 'period'],
  overrun: ['limit_short', 'many_open_runs'],
}

/** The finding that explains why the check went down, or null. */
export function explanationOf(reason: FlipReason, facts: FindingFacts): Finding | null {
  const codes = EXPLAINED_BY[reason] ?? []
  if (codes.length === 0) return null
  return findingsOf(facts).find(({ code }) => codes.includes(code)) ?? null
}
