/** A policy: who is alerted of an incident, and when. Decision 0115. */
import { periodWords } from '../time/duration.js'

/** Alerts channels when an incident has been open, and nobody has acknowledged it, for `after` seconds. */
export interface PolicyStep {
  after: number
  /** The check's own channels, or channels by UUID. */
  channels: 'check' | readonly string[]
}

/** Alerts everyone reached so far again: `times` times, `every` this many seconds after the last step. */
export interface PolicyRepeat {
  every: number
  times: number
}

export interface PolicyRules {
  /** In the order of `after`; at least one. */
  steps: readonly PolicyStep[]
  repeat: PolicyRepeat | null
}

export interface Policy extends PolicyRules {
  id: number
  name: string
}

/** The rules of a check without a policy. */
export const NO_POLICY: PolicyRules = { steps: [{ after: 0, channels: 'check' }], repeat: null }

export const POLICY_LIMITS = {
  policies: 100,
  nameLength: 100,
  steps: 10,
  channels: 100,
  lastStepSeconds: 7 * 86_400,
  everySeconds: { min: 300, max: 7 * 86_400 },
  times: { min: 1, max: 100 },
} as const

/** What is wrong with a policy: the place, as in a JSON pointer, and a sentence. */
export interface PolicyProblem {
  at: string
  problem: string
}

/** What is wrong with rules whose values have the right types; empty if nothing is. */
export function policyProblems({ steps, repeat }: PolicyRules): PolicyProblem[] {
  const { steps: most, everySeconds: every, times } = POLICY_LIMITS
  const problems = steps.flatMap((step, index) => stepProblems(step, steps[index - 1], `steps/${index}`))
  if (steps.length === 0) problems.push({ at: 'steps', problem: 'A policy has at least one step.' })
  if (steps.length > most) problems.push({ at: 'steps', problem: `A policy has at most ${most} steps.` })
  if (repeat !== null && !isBetween(repeat.every, every)) {
    const problem = `Repeat every ${periodWords(every.min)} to ${periodWords(every.max)}.`
    problems.push({ at: 'repeat/every', problem })
  }
  if (repeat !== null && !isBetween(repeat.times, times)) {
    problems.push({ at: 'repeat/times', problem: `Repeat ${times.min} to ${times.max} times.` })
  }
  return problems
}

function stepProblems(
  { after, channels }: PolicyStep,
  before: PolicyStep | undefined,
  at: string,
): PolicyProblem[] {
  const { lastStepSeconds: latest, channels: most } = POLICY_LIMITS
  const problems: PolicyProblem[] = []
  if (!isBetween(after, { min: 0, max: latest })) {
    problems.push({ at: `${at}/after`, problem: `A step comes within ${periodWords(latest)}.` })
  } else if (before && after < before.after) {
    problems.push({ at: `${at}/after`, problem: 'A step cannot come before the one above it.' })
  }
  if (channels.length === 0)
    problems.push({ at: `${at}/channels`, problem: 'Choose the integrations of this step.' })
  if (channels !== 'check' && channels.length > most) {
    problems.push({ at: `${at}/channels`, problem: `A step alerts at most ${most} integrations.` })
  }
  return problems
}

function isBetween(value: number, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}
