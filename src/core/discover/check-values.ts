import type { CheckChanges } from '../checks/check-changes.js'
import type { ProposedCheck } from './proposed-check.js'

/** When a proposed check is expected: what is set again if its job's time changes. */
export function timingValues({ period, schedule, tz }: ProposedCheck): CheckChanges {
  return schedule === null ? { periodSeconds: period! } : { schedule, tz }
}

/** All values of a proposed check. */
export function checkValues(check: ProposedCheck): CheckChanges {
  const { name, slug, tags, grace } = check
  return { ...timingValues(check), name, slug, tags, graceSeconds: grace }
}
