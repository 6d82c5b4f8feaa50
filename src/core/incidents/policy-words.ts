/** A policy in words. */
import { periodWords } from '../time/duration.js'
import type { PolicyRules, PolicyStep } from './policy.js'

/** The names that people know: of channels by UUID, and of the check's own channels. */
export interface PolicyNames {
  channels: ReadonlyMap<string, string>
  check: readonly string[]
}

/** When some step alerts, and who is alerted. */
interface PolicyMoment {
  /** `At once`, `After 15 minutes`. */
  when: string
  /** Names, separated by commas. */
  who: string
}

const AT_ONCE = 'At once'

/** `At once: Ops chat. After 15 minutes, if nobody has acknowledged: On-call phone. Then all of them every hour, 5 times.` */
export function policySentence(policy: PolicyRules, names: PolicyNames): string {
  const { repeat } = policy
  const moments = stepMoments(policy.steps, names)
  const steps = moments.map(({ when, who }) => {
    return `${when}${when === AT_ONCE ? '' : ', if nobody has acknowledged'}: ${who}.`
  })
  if (repeat === null) return steps.join(' ')
  return `${steps.join(' ')} Then ${moments.length > 1 ? 'all of them ' : ''}${repeatWords(repeat)}.`
}

/** The same for one check, or why nobody is alerted: `names` has the check's own channels, if any. */
export function appliedWords(policy: PolicyRules, names: PolicyNames): string {
  const known = policy.steps.map(({ channels }) => namesOf(channels, names))
  if (known.some(some => some.length > 0)) return policySentence(policy, names)
  return policy.steps.some(({ channels }) => channels === 'check')
    ? 'It alerts the integrations of the check, but this one has none, so nobody is alerted.'
    : 'Its integrations were deleted, so nobody is alerted.'
}

/** Steps with the same `after` are one. */
function stepMoments(steps: readonly PolicyStep[], names: PolicyNames): PolicyMoment[] {
  const moments = new Map<string, Set<string>>()
  for (const { after, channels } of steps) {
    const when = after === 0 ? AT_ONCE : `After ${periodWords(after)}`
    const who = moments.get(when) ?? new Set()
    moments.set(when, who)
    for (const name of namesOf(channels, names)) who.add(name)
  }
  return [...moments].map(([when, who]) => ({ when, who: [...who].join(', ') || 'nobody' }))
}

/** Channels that were deleted are left out. */
function namesOf(channels: PolicyStep['channels'], names: PolicyNames): string[] {
  if (channels === 'check') return [...names.check]
  return channels.flatMap(uuid => names.channels.get(uuid) ?? [])
}

/** `every hour, 5 times`, `once more after 1 hour`. */
export function repeatWords({ every, times }: NonNullable<PolicyRules['repeat']>): string {
  if (times === 1) return `once more after ${periodWords(every)}`
  return `every ${periodWords(every).replace(/^1 (\w+)$/, '$1')}, ${times} times`
}
