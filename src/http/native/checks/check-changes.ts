/** The body of a request that changes a check: the fields of the table, each with its type. */
import { z } from 'zod'
import type { CheckChanges } from '../../../core/checks/check-changes.js'
import type { Settings } from '../../../core/checks/check-fields.js'
import { CAUSES } from '../../../core/checks/health/cause.js'
import { Refusal } from '../../../core/errors.js'
import { MOST_PARENTS } from '../../../core/incidents/dependency.js'
import { POLICY_LIMITS } from '../../../core/incidents/policy.js'
import { MOST_CHANNELS } from '../../../core/projects/most-channels.js'
import { NATIVE_FIELDS, type NativeField, separatorOf } from '../../../core/wire/native-fields.js'
import { once } from '../../../lib/once.js'
import type { UniqueValues } from '../../../storage/checks/change-checks.js'
import { storedValue } from '../../api/checks/check-request.js'
import { settingSchema, text } from '../../api/setting-schema.js'
import { FieldRefusal } from '../problem.js'
import { parseBody } from '../request.js'

/** The fields of a check in a body. They take much memory, so they are made when they are first needed. */
const fields = once(() => ({
  ...(Object.fromEntries(NATIVE_FIELDS.map(field => [field.key, schemaOf(field).optional()])) as Record<
    string,
    z.ZodType
  >),
  channels: channels().optional(),
  depends_on: parents().optional(),
  policy: policy().optional(),
}))

const hasOneTiming = (sent: object) => !('period' in sent && 'schedule' in sent)
const TWO_TIMINGS = { path: ['period'], error: 'a check has a period or a schedule: send one of them' }

export const checkChanges = once(() =>
  z
    .strictObject(fields())
    .refine(hasOneTiming, TWO_TIMINGS)
    .meta({ id: 'CheckChanges', description: 'What is to be changed; everything is optional.' }),
)

/** The fields by which a check can be found instead of creating one. */
const UNIQUE_FIELDS = ['name', 'slug', 'tags', 'period', 'grace'] as const

export const newCheck = once(() =>
  z
    .strictObject({
      ...fields(),
      unique: z
        .array(z.enum(UNIQUE_FIELDS, { error: `not one of ${UNIQUE_FIELDS.join(', ')}` }), {
          error: 'unique is not a list',
        })
        .optional()
        .meta({
          description: 'Change the oldest check that has the same values in these fields, if there is one.',
        }),
    })
    .refine(hasOneTiming, TWO_TIMINGS)
    .refine(sent => (sent.unique ?? []).every(name => name in sent), {
      path: ['unique'],
      error: 'send a value for each of these fields',
    })
    .meta({ id: 'NewCheck', description: 'What can be said of a new check; everything is optional.' }),
)

export interface ParsedCheck {
  changes: CheckChanges
  refusesRules: true
  channels?: string
  parents?: string[]
  policy?: number | string | null
}

/** The change that a request's body asks for. Throws a `FieldRefusal` with every error. */
export function parseCheckChanges(body: unknown): ParsedCheck {
  return asked(parseBody(checkChanges(), body))
}

/** The check that a body asks for; `unique`: the values by which one is looked for first. Throws a `FieldRefusal`. */
export function parseNewCheck(body: unknown): ParsedCheck & { unique: UniqueValues | null } {
  const { unique = [], ...sent } = parseBody(newCheck(), body)
  const all: Record<string, unknown> = sent
  const values = settingsIn(Object.fromEntries(unique.map(name => [name, all[name]])))
  return { ...asked(sent), unique: unique.length === 0 ? null : values }
}

type Sent = z.output<ReturnType<typeof checkChanges>>

function asked(sent: Sent): ParsedCheck {
  const { channels: linked, depends_on: parents, policy } = sent
  return {
    changes: settingsIn(sent),
    refusesRules: true,
    ...(linked === undefined ? {} : { channels: linked.join(',') }),
    ...(parents === undefined ? {} : { parents }),
    ...(policy === undefined ? {} : { policy }),
  }
}

function settingsIn(sent: Readonly<Record<string, unknown>>): Partial<Settings> {
  const settings: Record<string, unknown> = {}
  for (const { name, key, type } of NATIVE_FIELDS) {
    if (sent[key] !== undefined) settings[name] = storedValue(type, sent[key])
  }
  return settings
}

/** The result of a write of a check; if that refuses a value, its place in the body is named. */
export async function namingCheckFields<T>(result: Promise<T>): Promise<T> {
  return await result.catch(error => {
    // The schema has checked everything but what is stored.
    if (!(error instanceof Refusal) || error.code !== 'invalid') throw error
    const { field = 'channels' } = error
    const key = NATIVE_FIELDS.find(({ name }) => name === field)?.key ?? field
    throw new FieldRefusal([{ detail: error.message, pointer: `/${key}` }])
  })
}

function channels() {
  return z
    .array(z.uuid({ error: 'not the UUID of a channel' }), { error: 'channels is not a list' })
    .max(MOST_CHANNELS, { error: 'too many channels' })
    .meta({ description: 'UUIDs of all channels that the check is to have.' })
}

function parents() {
  return z
    .array(z.uuid({ error: 'not the UUID of a check' }), { error: 'depends_on is not a list' })
    .max(MOST_PARENTS, { error: `at most ${MOST_PARENTS} checks` })
    .meta({ description: 'UUIDs of all checks of the project on which the check is to depend.' })
}

function policy() {
  return z
    .union([z.int().positive(), text('policy').max(POLICY_LIMITS.nameLength), z.null()], {
      error: 'not the ID or the name of a policy, or null',
    })
    .meta({ description: 'The ID or the name of its policy; null: that of the project.' })
}

function schemaOf({ key, type, about }: NativeField): z.ZodType {
  const separator = separatorOf(type)
  const value = settingSchema(key, type)
  const schema = separator === null ? value : listOf(key, separator).pipe(value as z.ZodType<unknown, string>)
  return about === undefined ? schema : schema.meta({ description: about })
}

/** A list of words, as the text that is stored. */
function listOf(key: string, separator: ' ' | ',') {
  const word =
    separator === ','
      ? z.enum(CAUSES, { error: `not one of ${CAUSES.join(', ')}` })
      : text('word').regex(/^\S+$/, { error: 'not a word without spaces' })
  return z.array(word, { error: `${key} is not a list` }).transform(words => words.join(separator))
}
