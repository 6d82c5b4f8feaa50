import { periodWords, runLength } from '../../time/duration.js'
import type { Finder } from './finding.js'
import { percentile } from './statistics.js'

const LEAST = 10
const SHARE = 0.95
/** The share of the limit that runs may use. */
const USED = 0.8
/** The proposed limit is this many times the duration of the long runs. */
const FACTOR = 1.5

/** The longest that `max_duration` may be, in seconds. */
const MOST_SECONDS = 2_592_000

/** Finds runs that take nearly as long as they may. */
export const limitShort: Finder = ({ check, runs }) => {
  const durations = runs.flatMap(run => run.durationMs ?? [])
  if (durations.length < LEAST) return null
  const limitSeconds = check.maxDurationSeconds ?? check.graceSeconds
  const longMs = percentile(durations, SHARE)
  if (longMs <= limitSeconds * 1000 * USED) return null
  const seconds = Math.min(MOST_SECONDS, Math.ceil((longMs * FACTOR) / 60_000) * 60)
  const wider =
    check.maxDurationSeconds === null ? { graceSeconds: seconds } : { maxDurationSeconds: seconds }
  return {
    code: 'limit_short',
    evidence: `Of the last ${durations.length} runs the longest took about ${runLength(longMs)}, and a run may take ${periodWords(limitSeconds)}.`,
    ...(seconds > limitSeconds && { patch: wider }),
  }
}
