/** The schema of each setting of a check in a request. The texts of errors: docs/behaviour.md, section 4.4. */
import { z } from 'zod'
import type { FieldType, NumberType, SecondsType, TextType } from '../../core/checks/check-field.js'
import { TEXT_FORMATS } from '../../core/checks/text-formats.js'
import { isStorable } from '../../core/text/storable.js'

/** The schema for values of `type` under the key `key`. */
export function settingSchema(key: string, type: FieldType): z.ZodType {
  switch (type.is) {
    case 'text':
      return text(key, type)
    case 'flag':
      return z.boolean({ error: `${key} is not a boolean` })
    case 'seconds':
    case 'number':
      return type.optional ? number(key, type).nullable() : number(key, type)
    case 'choice':
      return z.enum(type.words as [string, ...string[]], { error: `${key} has unexpected value` })
  }
}

/**
 * Text that every database stores as it is. Lengths count code points, as databases do.
 */
export function text(key: string, { maxLength, format }: Omit<TextType, 'is'> = {}) {
  let schema = z.string({ error: `${key} is not a string` }).refine(isStorable, {
    error: ({ input }) =>
      `${key} contains ${String(input).includes('\0') ? 'a null character (U+0000)' : 'half of a surrogate pair'}`,
    abort: true,
  })
  if (maxLength !== undefined) {
    const isShort = (value: string) => value.length <= maxLength || [...value].length <= maxLength
    schema = schema.refine(isShort, { error: `${key} is too long`, abort: true }).meta({ maxLength })
  }
  if (format === undefined) return schema
  const { matches, pattern, mismatch } = TEXT_FORMATS[format]
  const error = `${key} ${mismatch}`
  return pattern ? schema.regex(pattern, { error }) : schema.refine(matches, { error })
}

/** JSON's true and false count as 1 and 0, which are too small. */
function number(key: string, { min, max }: SecondsType | NumberType) {
  return z
    .int({
      error: issue => {
        if (issue.code === 'too_big') return `${key} is too large`
        const small = issue.code === 'too_small' || typeof issue.input === 'boolean'
        return small ? `${key} is too small` : `${key} is not a number`
      },
    })
    .min(min, { error: `${key} is too small` })
    .max(max, { error: `${key} is too large` })
}
