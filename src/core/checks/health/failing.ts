import type { Rules, State, Status } from '../check.js'
import { countedFailures } from './tally.js'

/** How far a check is on its way down: so many failures of so many, since the first of them (ms). */
export interface Failing {
  count: number
  of: number
  since: number
}

/** Null for a check that is down, or whose failures are not counted. `status`: the one that is stored or shown. */
export function failing(
  { status, tracking }: Pick<State, 'tracking'> & { status: Status },
  rules: Rules,
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
