import { parseJsonOrNull } from '../../lib/formats/parse-json-or-null.js'

/** The text or number at a path in a JSON body, as text; empty if there is none. */
export function jsonField(body: string, ...path: string[]): string {
  let value = parseJsonOrNull(body)
  for (const name of path) value = typeof value === 'object' && value !== null ? get(value, name) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function get(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
