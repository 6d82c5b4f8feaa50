import type { ChannelSettings } from './field.js'
import type { Integration } from './integration.js'
import { addressOf } from './moved-secrets.js'

/**
 * Whether messages go where they went before: what names the destination is the same, that is every address and whatever
 * the kind requires, such as a key or a chat. Who may send there, what is sent, when and how often may differ.
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
