import { nextAfter, parseSchedule } from '../../schedule/index.js'
import type { Check } from '../check.js'
import type { Settings } from '../check-fields.js'
import { changeRules } from '../health/change-rules.js'
import { nextExpected } from '../next-expected.js'
import { statusAt } from '../status.js'
import { rulesAfter } from './edit-check.js'

/** When a ping is expected before and after a change (ms; null: not known), and whether the check goes down by it. */
export interface ExpectedAround {
  before: number | null
  after: number | null
  goesDown: boolean
}

/** What new settings make of the time of the next ping. Silences and outages are left aside. */
export function expectedAround(check: Check, settings: Partial<Settings>, now: number): ExpectedAround {
  const before = expected(check, now)
  const after = changed(check, settings, now)
  if (after === null) return { before, after: before, goesDown: false }
  return { before, after: expected(after, now), goesDown: isFalling(check, after, now) }
}

/** Whether new settings alone make the check go down, as {@link expectedAround} says it without the times. */
export function goesDownBy(check: Check, settings: Partial<Settings>, now: number): boolean {
  const after = changed(check, settings, now)
  return after !== null && isFalling(check, after, now)
}

/** The check with the new settings; null if none of them changes when it is due. */
function changed(check: Check, settings: Partial<Settings>, now: number): Check | null {
  const rules = rulesAfter(check, settings)
  return rules && changeRules(check, rules, now, null).check
}

function isFalling(before: Check, after: Check, now: number): boolean {
  return statusAt(before, now, null) !== 'down' && statusAt(after, now, null) === 'down'
}

/** A schedule also says when the next ping of a check is that is new or paused. */
function expected(check: Check, now: number): number | null {
  const known = nextExpected(check, statusAt(check, now, null), now)
  if (known !== null || check.kind === 'simple') return known
  return nextAfter(parseSchedule(check.schedule), check.tz, now)
}
