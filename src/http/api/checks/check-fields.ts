/** The body of a create or update request. */
import { z } from 'zod'
import { CHECK_FIELDS, FIELD_LIST } from '../../../core/checks/check-fields.js'
import { Refusal } from '../../../core/errors.js'
import type { SettingsOnWire } from '../../../core/wire/check.js'
import { once } from '../../../lib/once.js'
import { settingSchema, text } from '../setting-schema.js'

/** The fields by which an upsert can find an existing check. */
const UNIQUE_FIELDS = ['name', 'slug', 'tags', 'timeout', 'grace'] as const

/**
 * The order in which fields are validated. Clients rely on it, because only the first error is returned. Settings that
 * are not listed come before `unique`. Source: docs/behaviour.md, section 4.4.
 */
const ORDER = (
  'channels desc failure_kw filter_subject filter_body filter_http_body filter_default_fail grace manual_resume methods ' +
  'name schedule slug start_kw subject subject_fail success_kw tags timeout tz'
).split(' ')

/** Fields that are not settings. */
const others = (): Record<string, z.ZodType> => ({
  channels: text('channels').meta({
    description: '`*` for all channels of the project, else UUIDs or names, comma-separated.',
  }),
  subject: text('subject', CHECK_FIELDS.successKw.type).meta({
    description: 'Use `success_kw` and `filter_subject` instead.',
    deprecated: true,
  }),
  subject_fail: text('subject_fail', CHECK_FIELDS.failureKw.type).meta({
    description: 'Use `failure_kw` and `filter_subject` instead.',
    deprecated: true,
  }),
})

const settings = (): Record<string, z.ZodType> =>
  Object.fromEntries(
    FIELD_LIST.flatMap(({ api, type, about }) => {
      if (api === undefined) return []
      const schema = settingSchema(api, type)
      return [[api, about === undefined ? schema : schema.meta({ description: about })]]
    }),
  )

const unique = () =>
  z
    .array(z.enum(UNIQUE_FIELDS, { error: "an item in 'unique' has unexpected value" }), {
      error: 'unique is not an array',
    })
    .meta({ description: 'Change the check that has the same values in these fields, if there is one.' })

/** The schema of the body, made when it is first needed. */
export const checkFields = once(() => {
  const schemas = { ...settings(), ...others() }
  const keys = [...ORDER, ...Object.keys(schemas).filter(key => !ORDER.includes(key))]
  return z
    .object({
      ...Object.fromEntries(keys.map(key => [key, schemas[key]!.optional()])),
      unique: unique().optional(),
    })
    .meta({
      id: 'CheckFields',
      description: 'What can be said of a check; everything is optional.',
    }) as unknown as z.ZodType<CheckFields, CheckFields>
})

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

export type CheckFields = Optional<
  SettingsOnWire & {
    channels: string
    subject: string
    subject_fail: string
    unique: (typeof UNIQUE_FIELDS)[number][]
  }
>

/** The validated fields of a request's body. Throws `Refusal('invalid')` for the first invalid field. */
export function parseCheckFields(body: unknown): CheckFields {
  const parsed = checkFields().safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid', `json validation error: ${parsed.error.issues[0]!.message}`)
}
