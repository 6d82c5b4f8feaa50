/** A finding about a check in Punctual's own API. */
import type { Finding } from '../checks/findings/index.js'
import { NATIVE_FIELDS, nativeValue } from './native-fields.js'

/** A finding as it is shown. Its patch is what a PATCH of the check takes, or null. */
export function findingShape({ code, evidence, patch }: Finding) {
  return { code, evidence, patch: patch ? settingsShape(patch) : null }
}

function settingsShape(patch: NonNullable<Finding['patch']>): Record<string, unknown> {
  return Object.fromEntries(
    NATIVE_FIELDS.flatMap(({ name, key, type }) => {
      const value = patch[name]
      return value === undefined ? [] : [[key, nativeValue(type, value)]]
    }),
  )
}
