import { canonicalZone } from '../schedule/index.js'
import { scheduleProblem } from '../schedule/schedule-problem.js'
import { plural } from '../text/plural.js'
import { periodWords } from '../time/duration.js'
import { LONGEST_LIST, ONCE_SECONDS, REASON_MAX_LENGTH, WINDOW_SECONDS } from './limits.js'
import type { SilenceScope, SilenceTimes } from './silence.js'
import { nextChangeAfter } from './windows.js'

export type SilenceField =
  | 'from'
  | 'to'
  | 'schedule'
  | 'timezone'
  | 'duration'
  | 'checks'
  | 'tags'
  | 'channels'
  | 'reason'

export interface SilenceProblem {
  field: SilenceField
  /** A sentence. */
  problem: string
}

/** The first thing wrong with what a silence is to be at `now` (ms), or null. */
export function silenceProblem(
  asked: {
    scope: { checks: readonly unknown[] } | Exclude<SilenceScope, { checks: unknown }>
    channels: readonly unknown[] | null
    times: SilenceTimes
    reason: string
  },
  now: number,
): SilenceProblem | null {
  const { scope, channels, times, reason } = asked
  const listed = 'checks' in scope ? scope.checks : 'tags' in scope ? scope.tags : null
  const list = 'checks' in scope ? 'checks' : 'tags'
  for (const [field, length] of [
    [list, listed?.length],
    ['channels', channels?.length],
  ] as const) {
    if (length === 0) return { field, problem: 'Choose at least one.' }
    if (length !== undefined && length > LONGEST_LIST)
      return { field, problem: `Choose at most ${LONGEST_LIST}.` }
  }
  if ([...reason].length > REASON_MAX_LENGTH) {
    return { field: 'reason', problem: `At most ${plural(REASON_MAX_LENGTH, 'character')}.` }
  }
  return timesProblem(times, now)
}

/** The first thing wrong with the times of a silence at `now` (ms), or null. */
export function timesProblem(times: SilenceTimes, now: number): SilenceProblem | null {
  if (times.kind === 'once') {
    if (times.to <= times.from) return { field: 'to', problem: 'The end is not after the beginning.' }
    if (times.to <= now) return { field: 'to', problem: 'The end is in the past.' }
    return lengthProblem('to', (times.to - times.from) / 1000, ONCE_SECONDS)
  }
  const wrong = scheduleProblem(times.kind, times.schedule)
  if (wrong !== null) return { field: 'schedule', problem: wrong }
  if (canonicalZone(times.tz) === null)
    return { field: 'timezone', problem: `“${times.tz}” is not a time zone.` }
  const tooLong = lengthProblem('duration', times.durationSeconds, WINDOW_SECONDS)
  if (tooLong !== null) return tooLong
  const next = nextChangeAfter({ times, endedAt: null }, now)
  return next === null ? { field: 'schedule', problem: 'It has no window any more.' } : null
}

function lengthProblem(
  field: SilenceField,
  seconds: number,
  { least, most }: { least: number; most: number },
): SilenceProblem | null {
  if (seconds >= least && seconds <= most) return null
  return { field, problem: `A silence lasts from ${periodWords(least)} to ${periodWords(most)}.` }
}
