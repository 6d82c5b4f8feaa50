/** Columns of values as array literals of PostgreSQL, so that one statement handles any number of rows. */
import { toParameter } from './connection.js'

/** An array of whole numbers. */
export function numbers(values: readonly (number | null)[]): string {
  return `{${values.map(value => value ?? 'NULL').join(',')}}`
}

export function texts(values: readonly (string | null)[]): string {
  return `{${values.map(value => (value === null ? 'NULL' : quoted(value))).join(',')}}`
}

export function bytes(values: readonly (Uint8Array | null)[]): string {
  return `{${values.map(value => (value === null ? 'NULL' : hex(value))).join(',')}}`
}

function quoted(value: string): string {
  return `"${(toParameter(value) as string).replace(/["\\]/g, '\\$&')}"`
}

function hex(value: Uint8Array): string {
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}
