/** The proposal of a finding: the settings that would change, and what would then be expected of the check. */
import type { Hold } from '../../instance/outage.js'
import type { Check, Status } from '../check.js'
import { applyChanges } from '../check-changes.js'
import { FIELD_LIST, type Settings } from '../check-fields.js'
import { changeRules } from '../health/change-rules.js'
import { nextExpected } from '../next-expected.js'
import { statusAt } from '../status.js'
import { typedValue } from '../typed-value.js'
import type { Finding } from './finding.js'

type Patch = NonNullable<Finding['patch']>

/** A setting with its values as people type them. */
export interface SettingChange {
  label: string
  before: string
  after: string
}

/** When the next ping is expected (ms), and when the check goes down without one; null if unknown. */
export interface Expectation {
  status: Status
  expectedAt: number | null
  downAt: number | null
}

/** The settings that `patch` changes. */
export function settingChanges(before: Settings, patch: Patch): SettingChange[] {
  return FIELD_LIST.flatMap(({ name, label, form, type }) => {
    const value = patch[name]
    if (value === undefined) return []
    const words = (one: typeof value | null) => String(typedValue(type, one))
    return [{ label: label ?? form?.label ?? name, before: words(before[name]), after: words(value) }]
  })
}

/** When the check is expected, as of `now` (ms). */
export function expectationOf(check: Check, now: number, hold: Hold | null): Expectation {
  const status = statusAt(check, now, hold)
  return {
    status,
    expectedAt: nextExpected(check, status, now),
    downAt: status === 'down' ? null : check.alertAfter,
  }
}

/** What would be expected of it with the settings of `patch`. */
export function expectationWith(check: Check, patch: Patch, now: number, hold: Hold | null): Expectation {
  const settings = applyChanges(check, patch)
  const { check: changed } = changeRules(check, settings, now, hold)
  return expectationOf({ ...check, ...changed }, now, hold)
}
