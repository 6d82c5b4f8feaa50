import type { ConfigStep } from '../../../storage/projects/config/config-step.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import { LINKS } from '../../checks/link-weights.js'

/** How long each of these steps takes, as a multiple of the time for creating a check without channels. */
export function stepWeights(steps: readonly ConfigStep[], { objects }: StoredConfig): number[] {
  const linked = new Map(objects.checks.map(({ key, values }) => [key, lengthOf(values.get('channels'))]))
  const ofChannels = steps.some(({ section, action }) => section === 'channels' && action === 'delete')
    ? linksOfChannels(objects)
    : new Map<string, number>()
  return steps.map(({ section, action, key, movedFrom, values }) => {
    if (section === 'policies' || section === 'silences') return 10
    if (section === 'channels') return action === 'delete' ? 5 + (ofChannels.get(key) ?? 0) / LINKS : 5
    // Its log is deleted too.
    if (action === 'delete') return 15
    const channels = values.get('channels')
    const links = channels === undefined ? 0 : lengthOf(channels) + (linked.get(movedFrom ?? key) ?? 0)
    return 1 + links / LINKS
  })
}

function linksOfChannels({ checks }: StoredConfig['objects']): Map<string, number> {
  const links = new Map<string, number>()
  for (const { values } of checks)
    for (const key of values.get('channels') as readonly string[]) links.set(key, (links.get(key) ?? 0) + 1)
  return links
}

function lengthOf(keys: unknown): number {
  return Array.isArray(keys) ? keys.length : 0
}
