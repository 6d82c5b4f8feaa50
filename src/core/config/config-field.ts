/** A field of an object in a file: how its value is read, what it is by default, and which objects it names. */
import type { FieldType } from '../checks/check-field.js'
import { readValue } from '../checks/typed-value.js'
import { nativeValue, separatorOf } from '../wire/native-fields.js'
import type { Json, Section } from './project-config.js'

export type ReadJson = { value: Json } | { problem: string }

export interface ConfigField {
  /** Reads a value that is not null. */
  read(value: Json): ReadJson
  /** The value of an object that does not give one. `key`: the object's. */
  byDefault(key: string): Json
  required?: boolean
  /** Its JSON Schema; absent: anything. */
  schema?: { readonly [name: string]: Json }
  /** Whether a value is never shown, and asked for by name in an export. */
  isSecret?(value: Json): boolean
  /** The value with the key of every object that it names replaced. */
  mapKeys?(value: Json, replace: ReplaceKey): Json
}

/** The new key of an object; null: it is no longer named. */
export type ReplaceKey = (section: Section, key: string) => string | null

/** The field of a file for a field of a table. */
export function fieldOf(type: FieldType, byDefault: string | number | boolean | null): ConfigField {
  const shown = nativeValue(type, byDefault)
  return { read: value => readSetting(type, value), byDefault: () => shown, schema: schemaOf(type) }
}

/** Loosely: variables are texts, and lengths of time may be written out. */
function schemaOf(type: FieldType): { readonly [name: string]: Json } {
  if (type.is === 'flag') return { type: ['boolean', 'null'] }
  if (type.is === 'choice') return { enum: [...type.words, null] }
  if (separatorOf(type) !== null) return { type: ['array', 'string', 'null'], items: { type: 'string' } }
  return { type: ['string', 'number', 'null'] }
}

/** A list of keys of a section; null stands for all of them. */
export function keysOf(section: Section, byDefault: readonly string[] | null): ConfigField {
  return {
    read: value => {
      if (!isTextList(value)) return { problem: `Give a list of ${section}, such as [a, b].` }
      return { value: [...new Set(value)].sort() }
    },
    byDefault: () => byDefault,
    schema: { type: ['array', 'null'], items: { type: 'string' } },
    mapKeys: (value, replace) => (isTextList(value) ? replaceKeys(value, section, replace) : value),
  }
}

/** A list of keys with each replaced. */
export function replaceKeys(keys: readonly string[], section: Section, replace: ReplaceKey): string[] {
  return keys.flatMap(key => replace(section, key) ?? []).sort()
}

/** The key of an object of a section, or null. */
export function keyOf(section: Section): ConfigField {
  return {
    read: value => (typeof value === 'string' ? { value } : { problem: `Give a key of ${section}.` }),
    byDefault: () => null,
    schema: { type: ['string', 'null'] },
    mapKeys: (value, replace) => (typeof value === 'string' ? replace(section, value) : value),
  }
}

/** Reads a length of time: a number of seconds, or such as `1h 30m`. */
export function readLength(value: Json, min: number, max: number): ReadJson {
  return readSetting({ is: 'seconds', min, max, optional: false }, value)
}

function readSetting(type: FieldType, value: Json): ReadJson {
  if (type.is === 'flag') return typeof value === 'boolean' ? { value } : { problem: 'Give true or false.' }
  if (type.is === 'choice') {
    const given = String(value)
    const words = type.words.map(word => (word === '' ? '""' : word)).join(', ')
    return type.words.includes(given) ? { value: given } : { problem: `Give one of: ${words}.` }
  }
  const separator = separatorOf(type)
  const text = isTextList(value) && separator !== null ? value.join(separator) : textOf(value)
  if (text === null || (separator === ' ' && isTextList(value) && value.some(word => /\s/.test(word)))) {
    return { problem: separator === null ? 'Give a text or a number.' : 'Give a list of words.' }
  }
  const typed = type.is === 'seconds' && typeof value === 'number' ? `${text} s` : text
  if (typed === '' && type.is !== 'text') return { problem: 'Give a value, or null for the default.' }
  const read = readValue(type, typed)
  return 'problem' in read ? read : { value: nativeValue(type, read.value) }
}

function textOf(value: Json): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Whether a value is a list of texts. */
export function isTextList(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

/** Whether a value has fields. */
export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The values of an object that gives none. */
export function defaultsOf(fields: ReadonlyMap<string, ConfigField>, key: string): Map<string, Json> {
  const values = new Map<string, Json>()
  for (const [name, field] of fields) values.set(name, field.byDefault(key))
  return values
}

/** Whether two values are the same. Objects are read with their names in one order. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
