/** Columns of values as PostgreSQL's array literals, so that one statement takes in rows of any number. */
import { toParameter } from './connection.js'

/** Whole numbers. */
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
