import { Refusal } from '../../../core/errors.js'
import type { Field } from '../../field.js'
import { matches, serverAddress } from '../../formats.js'

/** The fields that identify a bot, which a `zuliprc` also contains. */
export const botFields: readonly Field[] = [
  { name: 'bot_email', label: 'E-mail address of the bot', type: 'email', maxLength: 254 },
  {
    name: 'api_key',
    label: 'API key',
    type: 'text',
    sensitive: true,
    maxLength: 50,
    format: matches(/^[A-Za-z0-9]{32}$/, 'Enter the API key of the bot, which has 32 letters and digits.'),
  },
  {
    name: 'site',
    label: 'Address of the organisation',
    type: 'url',
    maxLength: 100,
    format: serverAddress,
  },
]

const NAMES: Record<string, string> = { email: 'bot_email', key: 'api_key', site: 'site' }

/**
 * Parses a `zuliprc`. Throws `Refusal('invalid', sentence, 'zuliprc')` if one of its three lines is missing or invalid.
 * Source: Zulip, "Configuring the Python bindings".
 */
export function parseZuliprc(text: string): { bot_email: string; api_key: string; site: string } {
  const found: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*(email|key|site)\s*[=:]\s*(\S+)\s*$/.exec(line) ?? []
    if (key && value) found[NAMES[key]!] = value
  }
  const { bot_email, api_key, site } = found
  const refuse = (sentence: string) => new Refusal('invalid', sentence, 'zuliprc')
  if (!bot_email || !api_key || !site) throw refuse('A zuliprc has lines for email, key and site.')
  if (!/^https?:\/\/[^/]/.test(site) || !URL.canParse(site))
    throw refuse('The site in the zuliprc is not a valid URL.')
  return { bot_email, api_key, site }
}
