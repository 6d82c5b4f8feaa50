/** Stores the members of a group apart from its settings, as links that are removed with the member. */

import type { ChannelSettings, Field } from './field.js'
import type { Integration } from './integration.js'

/** Whether channels of this kind are groups, which send to other channels. */
export function hasMembers(integration: Integration): boolean {
  return integration.fields.some(isMembers)
}

/** Splits valid settings into those stored as text and the UUIDs of the members. */
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

/** Joins settings and members again, for the integration and for display. */
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
