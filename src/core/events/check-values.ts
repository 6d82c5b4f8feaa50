/** The settings of a check in events: by their names in the API. */
import { DEFAULT_SETTINGS, type FieldName, type Settings } from '../checks/check-fields.js'
import { NATIVE_FIELDS, nativeValue } from '../wire/native-fields.js'
import type { FieldValues } from './event.js'

/** These settings as events name them. */
export function checkValues(settings: Partial<Settings>): FieldValues {
  return valuesOf(settings, () => true)
}

/** The settings of a check that are not the defaults, and its name. */
export function ownValues(settings: Settings): FieldValues {
  return valuesOf(settings, (name, value) => name === 'name' || value !== DEFAULT_SETTINGS[name])
}

function valuesOf(
  settings: Partial<Settings>,
  isNamed: (name: FieldName, value: Settings[FieldName]) => boolean,
): FieldValues {
  const values: Record<string, unknown> = {}
  // In the API the kind follows from the other fields, and is in a check all the same.
  if (settings.kind && isNamed('kind', settings.kind)) values.kind = settings.kind
  for (const { name, key, type } of NATIVE_FIELDS) {
    const value = settings[name]
    if (value !== undefined && isNamed(name, value)) values[key] = nativeValue(type, value)
  }
  return values
}
