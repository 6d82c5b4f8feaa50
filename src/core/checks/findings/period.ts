import { periodWords } from '../../time/duration.js'
import type { Finder, FindingFacts } from './finding.js'
import { fittingCron } from './fitting-cron.js'
import { gapsOf } from './gaps.js'

/** The number of occurrences is unusual if it is below or above these multiples of the number of runs. */
const BELOW = 0.5
const ABOVE = 1.5

/** The shortest period that a check may have. */
const LEAST_SECONDS = 60

/** Finds runs that come regularly, but far more or less often than the schedule says. */
export const period: Finder = facts => {
  const gaps = gapsOf(facts)
  if (!gaps?.usualMs) return null
  const { usualMs, expected, expectedMs, count } = gaps
  const share = expected / count
  if (share >= BELOW && share <= ABOVE) return null
  const usualSeconds = rounded(usualMs / 1000)
  const often = `The last ${count} gaps between runs were about ${periodWords(usualSeconds)}`
  const patch = patchFor(facts, usualSeconds)
  return {
    code: 'period',
    evidence: `${often}, and the schedule expects one every ${periodWords(rounded(expectedMs / 1000))}.`,
    ...(patch && { patch }),
  }
}

function patchFor({ check, runs }: FindingFacts, usualSeconds: number) {
  if (check.kind === 'simple') {
    return usualSeconds < LEAST_SECONDS ? null : { periodSeconds: usualSeconds }
  }
  const schedule = check.kind === 'cron' ? fittingCron(runs, check.tz, usualSeconds) : null
  return schedule && { schedule }
}

/**
 * Rounds to what people would choose: whole minutes; from two hours on, quarters of an hour; from two days on, hours.
 */
function rounded(seconds: number): number {
  const step = seconds < 90 ? 1 : seconds < 7_200 ? 60 : seconds < 172_800 ? 900 : 3_600
  return Math.max(1, Math.round(seconds / step) * step)
}
