import type { ChannelSettings } from './field.js'
import type { Integration } from './integration.js'
import { addressOf } from './moved-secrets.js'

/**
 * Whether two settings have the same destination: every address and every required field, such as a key or a chat, is
 * the same. Credentials, contents and limits may differ.
 */
export function sameDestination(
  { fields }: Pick<Integration, 'fields'>,
  before: ChannelSettings,
  after: ChannelSettings,
): boolean {
  return fields
    .filter(({ type, required }) => type === 'url' || type === 'email' || (required && type !== 'channels'))
    .every(({ name }) => addressOf(before[name]) === addressOf(after[name]))
}

/**
 * Whether messages go to the same place in the same way: all settings are the same but for those that only choose which alerts
 * are sent.
 */
export function sentAlike(
  { fields }: Pick<Integration, 'fields'>,
  before: ChannelSettings,
  after: ChannelSettings,
): boolean {
  return fields
    .filter(({ type, choosesAlerts }) => !choosesAlerts && type !== 'channels')
    .every(({ name, default: byDefault = '' }) => (before[name] ?? byDefault) === (after[name] ?? byDefault))
}
