import { periodWords } from '../../time/duration.js'
import type { Rules } from '../check.js'
import { CAUSES, includesCause } from './cause.js'

/** The rules that are judged together. */
export const JUDGED_RULES = [
  'failuresToAlert',
  'tolerated',
  'minDurationSeconds',
  'maxDurationSeconds',
] as const

type JudgedRules = Partial<Pick<Rules, (typeof JUDGED_RULES)[number]>>

/** Rules that cannot be meant: the field at fault, and a sentence that says what would be right. */
export interface RulesProblem {
  field: 'failuresToAlert' | 'minDurationSeconds'
  problem: string
}

/** Whether `changes` have a field that a problem of the rules may come from. */
export function changesJudgedRules(changes: JudgedRules): boolean {
  return JUDGED_RULES.some(name => changes[name] !== undefined)
}

/** What is wrong with rules whose values are valid one by one; null if nothing is. */
export function rulesProblem(rules: JudgedRules): RulesProblem | null {
  const uncounted = countingProblem(rules)
  if (uncounted !== null) return { field: 'failuresToAlert', problem: uncounted }
  const { minDurationSeconds: shortest = null, maxDurationSeconds: longest = null } = rules
  if (shortest === null || longest === null || shortest < longest) return null
  const problem = `The shortest run must be shorter than the longest, ${periodWords(longest)}.`
  return { field: 'minDurationSeconds', problem }
}

/** Why counting failures would change nothing; null if it does, or if none are counted. */
function countingProblem(rules: JudgedRules): string | null {
  const { failuresToAlert = 1, tolerated = '', minDurationSeconds = null } = rules
  if (failuresToAlert === 1) return null
  const counted = CAUSES.filter(cause => includesCause(tolerated, cause))
  if (counted.length === 0) return 'Choose which failures to count, or enter 1.'
  const isNeverShort = counted.every(cause => cause === 'too_short') && minDurationSeconds === null
  return isNeverShort
    ? 'Only runs that end too soon are counted, and there is no shortest run. Enter it, or 1.'
    : null
}
