import type { Rules, State, Status } from '../check.js'
import { countedFailures } from './tally.js'

/** How close a check is to going down: the failures so far, the failures needed, and when the first was (ms). */
export interface Failing {
  count: number
  of: number
  since: number
}

/** The settings that say so. */
export const FAILING_RULES = ['failuresToAlert', 'failureWindow'] as const satisfies (keyof Rules)[]

/**
 * Null if the check is down, has no counted failures, or does not count failures. `status`:
 * the stored or the shown one.
 */
export function failing(
  { status, tracking }: Pick<State, 'tracking'> & { status: Status },
  rules: Pick<Rules, (typeof FAILING_RULES)[number]>,
): Failing | null {
  const { failuresToAlert: of } = rules
  if (tracking === null || status === 'down' || of === 1) return null
  const counted = countedFailures(tracking, rules)
  return counted.length === 0 ? null : { count: counted.length, of, since: counted[0]!.at }
}

/** `failing, 1 of 3` */
export function failingWords({ count, of }: Failing): string {
  return `failing, ${count} of ${of}`
}
