import type { SettingsOnWire } from '../core/wire/check.js'

/** The fields of a check. Omitted fields stay unchanged, or have their default in a new check. */
export interface CheckFields extends Partial<Undefinable<SettingsOnWire>> {
  /** `*`, or UUIDs or names separated by commas. */
  channels?: string | undefined
  /** @deprecated Use `success_kw` and `filter_subject`. */
  subject?: string | undefined
  /** @deprecated Use `failure_kw` and `filter_subject`. */
  subject_fail?: string | undefined
}

export interface NewCheckFields extends CheckFields {
  /** Change the check that has the same values in these fields, if there is one. */
  unique?: ('name' | 'slug' | 'tags' | 'timeout' | 'grace')[] | undefined
}

type Undefinable<T> = { [K in keyof T]: T[K] | undefined }
