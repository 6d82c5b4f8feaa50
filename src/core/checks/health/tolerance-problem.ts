import type { Rules } from '../check.js'
import { CAUSES, includesCause } from './cause.js'

/** Why counting failures would change nothing, as a sentence; null if it does, or if none are counted. */
export function toleranceProblem(
  rules: Partial<Pick<Rules, 'failuresToAlert' | 'tolerated' | 'minDurationSeconds'>>,
): string | null {
  const { failuresToAlert = 1, tolerated = '', minDurationSeconds = null } = rules
  if (failuresToAlert === 1) return null
  const counted = CAUSES.filter(cause => includesCause(tolerated, cause))
  if (counted.length === 0) return 'Tick below which failures to count, or enter 1.'
  const isNeverShort = counted.every(cause => cause === 'too_short') && minDurationSeconds === null
  return isNeverShort
    ? 'Only runs that end too soon are counted, and there is no shortest run. Enter it, or 1.'
    : null
}
