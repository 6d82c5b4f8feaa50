import { Refusal } from '../../core/errors.js'
import { checkJsonShape } from './json-shape.js'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses the JSON object in a request's body; an empty body counts as `{}`. Strict UTF-8 without a byte order mark.
 * Throws `Refusal('invalid')`. Source: docs/behaviour.md, section 4.4.
 */
export function parseJsonBody(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {}
  checkJsonShape(bytes)
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw new Refusal('invalid', 'could not parse request body')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid', 'json validation error: value is not an object')
  }
  return value as Record<string, unknown>
}
