import { periodWords } from '../../time/duration.js'
import { arrivalOf } from './arrivals.js'
import type { Finder } from './finding.js'
import { gapsOf } from './gaps.js'

/** More successes per occurrence than this are too many. */
const MOST = 3

/** Finds several times as many successes as occurrences, at irregular times: the job may run in several places. */
export const tooOften: Finder = facts => {
  const gaps = gapsOf(facts)
  // Regular runs are a matter of the schedule.
  if (!gaps || gaps.usualMs !== null) return null
  const { from, to, expected } = gaps
  const successes = facts.runs.filter(run => run.succeeded && arrivalOf(run) >= from).length
  if (expected < 1 || successes / expected <= MOST) return null
  return {
    code: 'too_often',
    evidence: `${successes} runs succeeded within ${periodWords(Math.round((to - from) / 60_000) * 60)}, and the schedule expects ${Math.round(expected)}: does the job run on several machines?`,
  }
}
