/** Validates and masks a channel's settings by the fields of its kind. */

import { Refusal } from '../core/errors.js'
import { withAsciiDomain } from '../core/people/email-address.js'
import { isUuid } from '../core/text/uuid.js'
import { withoutPassword } from '../core/text/without-password.js'
import { MASK } from '../lib/settings.js'
import type { ChannelSettings, Field } from './field.js'
import type { Integration } from './integration.js'

const EMAIL = /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:.]+(?:\.[^\s@,;<>"()[\]\\:.]+)*$/
/** A control character other than a tab and a newline. */
const CONTROL = /[^\P{Cc}\t\n]/u

/**
 * Validates `given` and returns the settings to store: every declared field as text, trimmed, with defaults.
 * Throws `Refusal('invalid', sentence, field)` for the first invalid field.
 * Texts: docs/behaviour.md, section 8.5.
 */
export function checkSettings(integration: Integration, given: Readonly<Record<string, string>>) {
  const names = integration.fields.map(field => field.name)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined) {
    throw new Refusal('invalid', `There is no field "${unknown}"; there are: ${names.join(', ')}.`, unknown)
  }
  const settings: ChannelSettings = Object.fromEntries(
    integration.fields.map(field => [field.name, checkField(field, given[field.name])]),
  )
  return integration.check?.(settings) ?? settings
}

/** The settings for display: secrets masked, and secret URLs reduced to their origin. */
export function maskSettings(
  integration: Pick<Integration, 'fields'>,
  settings: ChannelSettings,
): ChannelSettings {
  const entries = integration.fields.map(field => {
    const value = settings[field.name] ?? ''
    return [field.name, field.sensitive && value !== '' ? mask(field, value) : shown(field, value)]
  })
  return Object.fromEntries(entries)
}

/** The origin of a URL, which is not secret: `https://example.org`. Empty for an invalid URL. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

function shown(field: Field, value: string): string {
  return field.type === 'url' ? withoutPassword(value, MASK) : value
}

function mask(field: Field, value: string): string {
  return field.type === 'url' ? `${originOf(value)}/${MASK}` : MASK
}

/** Validates the value of a field and returns it as stored. Throws as `checkSettings` does. */
export function checkField(field: Field, given: string | undefined): string {
  const refuse = (sentence: string) => new Refusal('invalid', sentence, field.name)
  const text = (given ?? field.default ?? '').replaceAll('\r\n', '\n').trim()
  if (text === '' && field.required) throw refuse('This field is required.')
  if (text === '' && field.type !== 'flag') return field.default ?? ''
  if (CONTROL.test(text) || (text.includes('\n') && field.type !== 'multiline')) {
    throw refuse('Control characters and line breaks are not allowed here.')
  }
  const value = parse(field, text, refuse)
  if (value.length > (field.maxLength ?? Number.POSITIVE_INFINITY)) throw refuse('Value too long')
  if (field.format && !field.format.matches(value)) throw refuse(field.format.hint)
  return value
}

function parse(field: Field, text: string, refuse: (sentence: string) => Refusal): string {
  switch (field.type) {
    case 'url':
      return parseUrl(text) ?? raise(refuse('Enter a valid URL.'))
    case 'email':
      return (EMAIL.test(text) && withAsciiDomain(text)) || raise(refuse('Enter a valid email address.'))
    case 'choice':
      if (field.choices?.includes(text)) return text
      throw refuse(`Choose one of: ${field.choices?.join(', ')}.`)
    case 'flag':
      if (text === '' || text === 'false' || text === 'off') return 'false'
      return text === 'true' || text === 'on' ? 'true' : raise(refuse('Enter true or false.'))
    case 'number':
      return /^-?\d{1,15}$/.test(text) ? String(Number(text)) : raise(refuse('Enter a whole number.'))
    case 'channels': {
      const uuids = text.split(',').map(part => part.trim().toLowerCase())
      if (uuids.every(isUuid)) return [...new Set(uuids)].join(',')
      throw refuse('Enter the identifiers of channels, separated by commas.')
    }
    default:
      return text
  }
}

/**
 * The URL as typed, with `https://` added if it has no scheme; null if it is not valid. Only http and https are allowed;
 * hosts without a dot, user names and passwords are valid. Source: docs/behaviour.md, section 8.5.
 */
function parseUrl(text: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  // The URL parser silently corrects these, which would hide a typing error.
  if (/[\s\\]/.test(url) || !/^https?:\/\/[^/]/i.test(url)) return null
  if (!URL.canParse(url)) return null
  const { hostname } = new URL(url)
  const isNumber = /^https?:\/\/(?:[^/?#]*@)?(?:\d+|0x[0-9a-f]*)(?::\d*)?(?:[/?#]|$)/i.test(url)
  return isNumber || /^\.|\.\./.test(hostname) ? null : url
}

function raise(error: Error): never {
  throw error
}
