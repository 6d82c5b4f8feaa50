import type { PolicyNames } from '../../../../core/incidents/policy-words.js'
import type { Channel } from '../../../../storage/channels/channels.js'
import { shownChannels } from '../../checks/shown-channels.js'

/** The names of a project's channels in the words of its policies. `check`: what the check's own are called. */
export function policyNames(
  channels: readonly Channel[],
  check: readonly string[] = ['the check’s own integrations'],
): PolicyNames {
  return { channels: new Map(channelChoices(channels).map(({ uuid, name }) => [uuid, name])), check }
}

/** The channels that the steps of a policy can name. */
export function channelChoices(channels: readonly Channel[]): { uuid: string; name: string }[] {
  return shownChannels(channels).map(({ uuid, name, label }) => ({ uuid, name: name || label }))
}
