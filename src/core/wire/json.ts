/** JSON in the format of the reference: `", "` and `": "` as separators, non-ASCII characters escaped. */

/**
 * Milliseconds as seconds with at most two decimals, ties to even; whole numbers as `12.0`. Source:
 * docs/behaviour.md, section 3.3.
 */
export function decimalSeconds(ms: number): string {
  // Only odd multiples of 1/8 are exact ties; toFixed rounds all others by their exact value.
  const tie = ms % 250 === 125
  const hundredths = Math.floor(ms / 10)
  const rounded = tie ? (hundredths + (hundredths % 2)) / 100 : Number((ms / 1000).toFixed(2))
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded)
}

/**
 * The JSON text of a plain value; a Map is written as an object. Keys with undefined values are left out. The text is
 * ASCII, so it has as many bytes as characters.
 */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(toJson).join(', ')}]`
  let text = ''
  const entries = value instanceof Map ? value : Object.entries(value as object)
  for (const [key, part] of entries) {
    if (part === undefined) continue
    text += text === '' ? `${quoted(key)}: ${toJson(part)}` : `, ${quoted(key)}: ${toJson(part)}`
  }
  return `{${text}}`
}

/** The object with only the members of these names, in their order. */
export function withMembers(value: object, names: readonly string[]): object {
  const members = names.filter(name => Object.hasOwn(value, name))
  return Object.fromEntries(members.map(name => [name, (value as Record<string, unknown>)[name]]))
}

const PLAIN = /^[ !#-[\]-~]*$/
const BEYOND_ASCII = /[\u007f-\uffff]/

/** A JSON string. Listings are built from these, because a generic walk over objects costs five times as much. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  return BEYOND_ASCII.test(json) ? asciiOf(json) : json
}

const HEX_DIGITS = Buffer.from('0123456789abcdef')
/** The number of characters that are escaped at once, and the space for their escapes. */
const ESCAPED_AT_ONCE = 4_096
const escapes = Buffer.alloc(6 * ESCAPED_AT_ONCE)

/** Writes the characters beyond ASCII as `\u00e9`. A regular expression with a callback takes twenty times as long. */
function asciiOf(json: string): string {
  let text = ''
  for (let from = 0; from < json.length; from += ESCAPED_AT_ONCE) {
    const to = Math.min(json.length, from + ESCAPED_AT_ONCE)
    let size = 0
    for (let index = from; index < to; index++) {
      const unit = json.charCodeAt(index)
      if (unit < 0x7f) {
        escapes[size++] = unit
        continue
      }
      escapes[size++] = 0x5c
      escapes[size++] = 0x75
      escapes[size++] = HEX_DIGITS[unit >> 12]!
      escapes[size++] = HEX_DIGITS[(unit >> 8) & 15]!
      escapes[size++] = HEX_DIGITS[(unit >> 4) & 15]!
      escapes[size++] = HEX_DIGITS[unit & 15]!
    }
    text += escapes.toString('latin1', 0, size)
  }
  return text
}
