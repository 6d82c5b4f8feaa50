/** Silences in words. */
import { describe, parseSchedule } from '../schedule/index.js'
import { plural } from '../text/plural.js'
import { periodWords } from '../time/duration.js'
import type { ShownSilence } from './shown-silence.js'
import type { RecurringTimes } from './silence.js'

/** What it is called: its reason, or what it is. */
export function silenceLabel({ reason, times }: Pick<ShownSilence, 'reason' | 'times'>): string {
  if (reason !== '') return reason
  return times.kind === 'once' ? 'Silence' : 'Recurring silence'
}

/** Which checks: `all checks`, `checks tagged db or web`, `Backup and 2 others`. */
export function scopeWords({ scope, namedChecks }: Pick<ShownSilence, 'scope' | 'namedChecks'>): string {
  if ('tags' in scope) return `checks tagged ${listed(scope.tags)}`
  if ('project' in scope) return 'all checks'
  const [first, second] = namedChecks ?? []
  if (first === undefined) return 'checks that were deleted'
  if (second === undefined) return first.name
  const others = namedChecks!.length - 1
  return `${first.name} and ${others === 1 ? second.name : plural(others, 'other check')}`
}

/** What pages show of a silence, for their versions: of a thousand checks not all names, which are megabytes. */
export function stampOf({ namedChecks, ...silence }: ShownSilence): object {
  return { ...silence, words: scopeWords({ scope: silence.scope, namedChecks }) }
}

/** When a recurring one begins, and for how long: `At 02:00 on Sundays, for 2 hours`. */
export function recurringWords({ schedule, durationSeconds }: RecurringTimes): string {
  return `${describe(parseSchedule(schedule))}, for ${periodWords(durationSeconds)}`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
