/** The gaps between runs, compared with the schedule. */
import { occurrences, previousBefore } from '../../schedule/index.js'
import { arrivalOf, scheduleOf } from './arrivals.js'
import type { FindingFacts } from './finding.js'
import { median } from './statistics.js'

/** The maximum number of gaps that are examined, and the minimum that is needed. */
const MOST = 20
const LEAST = 10

/** Gaps are alike if they differ from the median by less than this share; this share of them must be alike. */
const ALIKE = 0.1
const SHARE_ALIKE = 0.8

/** Counting occurrences stops here. */
const MOST_OCCURRENCES = 5_000

export interface Gaps {
  count: number
  /** When the first and the last of the runs came (ms). */
  from: number
  to: number
  /** The usual gap (ms) if nearly all gaps are alike, else null. */
  usualMs: number | null
  /** The number of occurrences between the first run and the last, and their average distance (ms). */
  expected: number
  expectedMs: number
}

/** The newest gaps between runs; null if there are too few, or no occurrences to compare them with. */
export function gapsOf(facts: FindingFacts): Gaps | null {
  const times = facts.runs
    .map(arrivalOf)
    .toSorted((a, b) => a - b)
    .slice(-MOST - 1)
  const gaps = times.slice(1).map((time, index) => time - times[index]!)
  if (gaps.length < LEAST) return null
  const [from, to] = [times[0]!, times.at(-1)!]
  const expected = expectedWithin(facts, from, to)
  if (expected === null) return null
  const middle = median(gaps)
  const alike = gaps.filter(gap => Math.abs(gap - middle) <= middle * ALIKE)
  const usualMs = middle > 0 && alike.length >= gaps.length * SHARE_ALIKE ? middle : null
  return { count: gaps.length, from, to, usualMs, ...expected }
}

function expectedWithin(
  facts: FindingFacts,
  from: number,
  to: number,
): { expected: number; expectedMs: number } | null {
  const { check } = facts
  const schedule = scheduleOf(facts)
  if (!schedule) {
    const expectedMs = check.periodSeconds * 1000
    return { expected: (to - from) / expectedMs, expectedMs }
  }
  const before = previousBefore(schedule, check.tz, from + 1)
  if (before === null) return null
  let expected = 0
  for (const at of occurrences(schedule, check.tz, from)) {
    if (at > to || expected === MOST_OCCURRENCES) {
      return { expected, expectedMs: (at - before) / (expected + 1) }
    }
    expected++
  }
  return null
}
