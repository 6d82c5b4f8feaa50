/** The settings of a check in events: by their names in the API. */
import { DEFAULT_SETTINGS, type Settings } from '../checks/check-fields.js'
import { NATIVE_FIELDS, nativeValue } from '../wire/native-fields.js'
import type { FieldValues } from './event.js'

/** These settings as events name them. */
export function checkValues(settings: Partial<Settings>): FieldValues {
  const values = NATIVE_FIELDS.flatMap(({ name, key, type }) => {
    const value = settings[name]
    return value === undefined ? [] : [[key, nativeValue(type, value)]]
  })
  // In the API the kind follows from the other fields, and is in a check all the same.
  return { ...(settings.kind && { kind: settings.kind }), ...Object.fromEntries(values) }
}

/** The settings of a check that are not the defaults, and its name. */
export function ownValues(settings: Settings): FieldValues {
  const own = Object.entries(settings).filter(
    ([name, value]) =>
      name in DEFAULT_SETTINGS && value !== DEFAULT_SETTINGS[name as keyof typeof DEFAULT_SETTINGS],
  )
  return checkValues({ name: settings.name, ...Object.fromEntries(own) })
}
