import { Refusal } from '../core/errors.js'
import type { ChannelSettings } from './field.js'
import type { Integration } from './integration.js'

/**
 * Throws `Refusal('invalid', sentence, field)` if settings change the address to which a secret is sent, and the secret
 * is one of `kept`, which the user did not enter again. The user may not know it, and could have it sent to a server of
 * their own.
 */
export function refuseMovedSecrets(
  { fields }: Pick<Integration, 'fields'>,
  kept: readonly string[],
  stored: ChannelSettings,
  settings: ChannelSettings,
): void {
  const addresses = fields.filter(({ type }) => type === 'url').map(({ name }) => name)
  const moved = addresses.filter(name => addressOf(settings[name]) !== addressOf(stored[name]))
  for (const { name, type, sensitive, required, sentTo = addresses } of fields) {
    const stays = kept.includes(name) && settings[name] !== '' && settings[name] === stored[name]
    // A secret address is sent only to itself.
    if (!sensitive || type === 'url' || !stays) continue
    if (sentTo.some(address => moved.includes(address) && settings[address] !== '')) {
      const remedy = required ? 'enter this again' : 'enter this again, or remove it'
      const sentence = `The address has changed: ${remedy}. What is stored goes to no other address.`
      throw new Refusal('invalid', sentence, name)
    }
  }
}

/** An address in a form for comparison, without trailing slashes. */
export function addressOf(text = ''): string {
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, '')
}
