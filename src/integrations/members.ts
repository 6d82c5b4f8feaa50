/** The channels that a channel stands for are kept apart from its settings, as links that follow a deletion. */

import type { ChannelSettings, Field } from './field.js'
import type { Integration } from './integration.js'

/** Whether channels of this kind stand for others instead of sending for themselves. */
export function hasMembers(integration: Integration): boolean {
  return integration.fields.some(isMembers)
}

/** Checked settings taken apart: what is stored as text, and the UUIDs of the channels that they name. */
export function splitMembers(
  integration: Integration,
  settings: ChannelSettings,
): { settings: Record<string, string>; members: string[] } {
  const names = integration.fields.filter(isMembers).map(field => field.name)
  const members = names.flatMap(name => (settings[name] ?? '').split(',')).filter(uuid => uuid !== '')
  return {
    settings: { ...settings, ...Object.fromEntries(names.map(name => [name, ''])) },
    members: [...new Set(members)],
  }
}

/** The settings with the members they were taken apart from: what the integration and people are shown. */
export function joinMembers(
  integration: Integration,
  settings: ChannelSettings,
  members: readonly string[],
): ChannelSettings {
  const names = integration.fields.filter(isMembers).map(field => field.name)
  return { ...settings, ...Object.fromEntries(names.map(name => [name, members.join(',')])) }
}

function isMembers(field: Field): boolean {
  return field.type === 'channels'
}
