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
  const rules = rulesAfter(check, settings)
  const before = expected(check, now)
  if (rules === null) return { before, after: before, goesDown: false }
  const { check: after } = changeRules(check, rules, now, null)
  const goesDown = statusAt(check, now, null) !== 'down' && statusAt(after, now, null) === 'down'
  return { before, after: expected(after, now), goesDown }
}

/** A schedule also says when the next ping of a check is that is new or paused. */
function expected(check: Check, now: number): number | null {
  const known = nextExpected(check, statusAt(check, now, null), now)
  if (known !== null || check.kind === 'simple') return known
  return nextAfter(parseSchedule(check.schedule), check.tz, now)
}
