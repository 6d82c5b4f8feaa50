/** JSON as the reference writes it: `", "` and `": "` between the parts, everything beyond ASCII escaped. */

/**
 * Milliseconds as seconds with at most two decimals, ties to even; whole ones as `12.0`.
 * Source: docs/behaviour.md, section 3.3.
 */
export function decimalSeconds(ms: number): string {
  // Odd multiples of 1/8 are the only exact ties; toFixed decides all others by the exact value.
  const tie = ms % 250 === 125
  const hundredths = Math.floor(ms / 10)
  const rounded = tie ? (hundredths + (hundredths % 2)) / 100 : Number((ms / 1000).toFixed(2))
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded)
}

/**
 * The JSON text of a plain value; a Map counts as an object. Keys whose value is undefined are left out. The text
 * holds ASCII only, so it has as many bytes as characters.
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

const PLAIN = /^[ !#-[\]-~]*$/
const BEYOND_ASCII = /[\u007f-\uffff]/g

/** A text in quotes. Listings are put together from these: a general walk over objects costs five times as much. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    BEYOND_ASCII,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
