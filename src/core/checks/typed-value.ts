/** Conversions of a field's value: as people type it, and as a browser sends it. */

import { periodWords } from '../time/duration.js'
import { parseDuration } from '../time/parse-duration.js'
import { tagList } from './check.js'
import type { ChoiceType, FieldType, FlagType, NumberType, SecondsType, TextType } from './check-field.js'
import { TEXT_FORMATS } from './text-formats.js'

/** The content of the input of a field of type `T`. */
export type Typed<T> = T extends FlagType ? boolean : T extends ChoiceType<infer Word> ? Word : string

type Value = string | number | boolean | null

/** The typed value, or a sentence that says what would be right. */
export type ReadValue = { value: Value } | { problem: string }

/** The content of a field's input for `value`. */
export function typedValue({ is }: FieldType, value: Value): string | boolean {
  if (is === 'seconds') return value === null ? '' : periodWords(value as number)
  if (is === 'number') return value === null ? '' : String(value)
  return value as string | boolean
}

/** The content of a field's input from the `text` that a browser sent. */
export function sentValue(type: FieldType, text: string): string | boolean {
  if (type.is === 'flag') return text === 'true'
  if (type.is === 'choice') return type.words.includes(text) ? text : type.words[0]!
  return text
}

/** Reads a typed value. */
export function readValue(type: FieldType, typed: string | boolean): ReadValue {
  if (typeof typed === 'boolean' || type.is === 'choice') return { value: typed }
  if (type.is === 'number') return readNumber(type, typed)
  return type.is === 'seconds' ? readSeconds(type, typed) : readText(type as TextType, typed)
}

function readNumber({ min, max, optional }: NumberType, typed: string): ReadValue {
  const text = typed.trim()
  if (optional && text === '') return { value: null }
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return { value }
  const none = optional ? ', or leave it empty' : ''
  return { problem: `Enter a whole number from ${min} to ${max}${none}.` }
}

function readSeconds({ min, max, optional }: SecondsType, typed: string): ReadValue {
  if (optional && typed.trim() === '') return { value: null }
  const value = parseDuration(typed)
  if (value !== null && value >= min && value <= max) return { value }
  if (/^\d+(\.\d+)?$/.test(typed.trim()))
    return { problem: `Add a unit, such as ${typed.trim()} s or ${typed.trim()} min.` }
  const range = `from ${periodWords(min)} to ${periodWords(max)}`
  const none = optional ? ', or leave it empty' : ''
  return { problem: `Enter a length of time such as 1 day, 90 min or 1 h 30 min, ${range}${none}.` }
}

function readText({ maxLength, format, words }: TextType, typed: string): ReadValue {
  const value = words ? tagList(typed).join(' ') : typed.trim()
  if (format && !TEXT_FORMATS[format].matches(value)) return { problem: TEXT_FORMATS[format].hint }
  const length = [...value].length
  if (maxLength === undefined || length <= maxLength) {
    return { value: (format && TEXT_FORMATS[format].stored?.(value)) ?? value }
  }
  const problem = words
    ? `At most ${maxLength} characters in all; these have ${length}.`
    : `At most ${maxLength} characters; this has ${length}.`
  return { problem }
}
