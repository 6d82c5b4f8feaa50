/** The settings of a check in Punctual's own API: the whole table, with lists in place of texts of words. */
import type { CheckField, FieldType } from '../checks/check-field.js'
import { FIELD_LIST, type FieldName } from '../checks/check-fields.js'

export type NativeField = CheckField & { name: FieldName; key: string }

export const NATIVE_FIELDS: readonly NativeField[] = FIELD_LIST.flatMap(field => {
  const { native, api, column } = field
  return native === null ? [] : [{ ...field, key: native ?? api ?? column }]
})

/** The separator of a text that is a list in the API; null for every other type. */
export function separatorOf(type: FieldType): ' ' | ',' | null {
  if (type.is !== 'text') return null
  if (type.format === 'causes') return ','
  return type.words ? ' ' : null
}

/** The value of a setting in the API. */
export function nativeValue(
  type: FieldType,
  value: string | number | boolean | null,
): string | number | boolean | null | string[] {
  const separator = separatorOf(type)
  if (separator === null) return value
  if (value === '') return []
  return String(value)
    .split(separator)
    .map(word => word.trim())
    .filter(word => word !== '')
}
