/** The channels that a policy may alert of an incident. */
import { concernsBy } from '../../../core/incidents/escalation.js'
import type { PolicyRules } from '../../../core/incidents/policy.js'
import type { StepChannel } from './step-channels.js'

/** A channel that the check is linked to, with groups expanded to their members. */
export interface LinkedChannel {
  channelId: number
  groupId: number | null
  isDisabled: boolean
}

export interface PolicyChannel extends LinkedChannel {
  /** For each step, whether it alerts the channel. */
  concerns: readonly boolean[]
  /** For each step, whether it names the channel. */
  isNamed: readonly boolean[]
}

/** The channels that at least one step alerts, each once. `named`: those that steps name, of the check's project. */
export function policyChannels(
  policy: PolicyRules,
  links: readonly LinkedChannel[],
  named: readonly StepChannel[],
): PolicyChannel[] {
  const found = new Map<number, LinkedChannel & { isLinked: boolean; names: Set<string> }>()
  const add = (path: LinkedChannel, name: string | null) => {
    const before = found.get(path.channelId)
    const isBetter = !before || (before.isDisabled && !path.isDisabled)
    const { channelId, groupId, isDisabled } = isBetter ? path : before
    const isLinked = (before?.isLinked ?? false) || name === null
    const names = before?.names ?? new Set()
    if (name !== null) names.add(name)
    found.set(channelId, { channelId, groupId, isDisabled, isLinked, names })
  }
  for (const link of links) add(link, null)
  for (const one of named) add(one, one.name)
  const concernsOf = concernsBy(policy)
  return [...found.values()].flatMap(({ isLinked, names, ...channel }) => {
    const concerns = concernsOf({ isLinked, names })
    const isNamed = concernsOf({ isLinked: false, names })
    return concerns.includes(true) ? [{ ...channel, concerns, isNamed }] : []
  })
}
