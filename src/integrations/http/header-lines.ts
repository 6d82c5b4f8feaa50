import { Refusal } from '../../core/errors.js'

const MAX_LENGTH = 1000

/** Source: RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Parses headers from a user, one `Name: value` per line; empty lines are skipped. Throws
 * `Refusal('invalid', sentence, field)`. Texts: docs/behaviour.md, section 8.5.
 */
export function parseHeaders(text: string, field: string): [name: string, value: string][] {
  const refuse = (sentence: string) => new Refusal('invalid', sentence, field)
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.map(line => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    const value = line.slice(colon + 1).trim()
    if (name === '' || value === '') throw refuse('Use "Header-Name: value" pairs, one per line.')
    if (!TOKEN.test(name)) throw refuse('Header names must not contain special characters')
    if (name.length > MAX_LENGTH || value.length > MAX_LENGTH) throw refuse('Value too long')
    return [name, value]
  })
}

/** Escapes characters that a header cannot contain as character references: `ā` as `&#257;`. */
export function escapeHeader(value: string): string {
  return value.replace(/[^\t -~\u0080-\u00ff]/gu, mark => `&#${mark.codePointAt(0)};`)
}
