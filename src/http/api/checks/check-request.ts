/** Converts the fields of a request to the arguments of the store. */

import type { CheckChanges } from '../../../core/checks/check-changes.js'
import type { FieldType } from '../../../core/checks/check-field.js'
import { FIELD_LIST, type Settings } from '../../../core/checks/check-fields.js'
import { slugify } from '../../../core/checks/slugify.js'
import { TEXT_FORMATS } from '../../../core/checks/text-formats.js'
import type { ApiVersion } from '../../../core/wire/version.js'
import type { AskedCheck, UniqueValues } from '../../../storage/checks/change-checks.js'
import type { CheckFields } from './check-fields.js'

/** The change that `fields` request. Versions 1 and 2 derive the slug from the name if none is sent. */
export function askedCheck(fields: CheckFields, version: ApiVersion, now: number): AskedCheck {
  const changes: CheckChanges = settingsIn(fields)
  if (version < 3 && fields.slug === undefined && fields.name !== undefined)
    changes.slug = slugify(fields.name)
  if (fields.subject !== undefined) changes.subject = fields.subject
  if (fields.subject_fail !== undefined) changes.subjectFail = fields.subject_fail
  return { changes, channels: fields.channels, now }
}

/**
 * The values by which an upsert finds a check; null if the request has no `unique` or lacks one of its fields, so that
 * a check is created. Source: docs/behaviour.md, section 4.5.
 */
export function uniqueValues(fields: CheckFields): UniqueValues | null {
  const unique = new Set(fields.unique)
  if (unique.size === 0 || [...unique].some(field => fields[field] === undefined)) return null
  return settingsIn(Object.fromEntries([...unique].map(field => [field, fields[field]])))
}

/** The settings in `fields`, by their names in the core. */
function settingsIn(fields: CheckFields): Partial<Settings> {
  const sent: Record<string, unknown> = fields
  const values = FIELD_LIST.flatMap(({ name, api, type }) => {
    const value = api === undefined ? undefined : sent[api]
    return value === undefined ? [] : [[name, storedValue(type, value)]]
  })
  return Object.fromEntries(values)
}

/** The value of a field of this type, as stored. */
export function storedValue(type: FieldType, value: unknown): unknown {
  const format = type.is === 'text' && type.format ? TEXT_FORMATS[type.format] : undefined
  return format?.stored ? format.stored(value as string) : value
}
