/** The body of a request that changes a check: the fields of the table, each with its type. */
import { z } from 'zod'
import { applyChanges, type CheckChanges } from '../../core/checks/check-changes.js'
import type { Settings } from '../../core/checks/check-fields.js'
import { CAUSES } from '../../core/checks/health/cause.js'
import { rulesProblem } from '../../core/checks/health/rules-problem.js'
import { MOST_PARENTS } from '../../core/incidents/dependency.js'
import { POLICY_LIMITS } from '../../core/incidents/policy.js'
import { NATIVE_FIELDS, type NativeField, separatorOf } from '../../core/wire/native-fields.js'
import { once } from '../../lib/once.js'
import { storedValue } from '../api/checks/check-request.js'
import { settingSchema } from '../api/setting-schema.js'
import { FieldRefusal } from './problem.js'
import { parseBody } from './request.js'

const MOST_CHANNELS = 1_000

/** The schema of the body. It takes much memory, so it is made when it is first needed. */
export const checkChanges = once(() => {
  const settings: Record<string, z.ZodType> = Object.fromEntries(
    NATIVE_FIELDS.map(field => [field.key, schemaOf(field).optional()]),
  )
  return z
    .strictObject({
      ...settings,
      channels: channels().optional(),
      depends_on: parents().optional(),
      policy: policy().optional(),
    })
    .refine(sent => !('period' in sent && 'schedule' in sent), {
      path: ['period'],
      error: 'a check has a period or a schedule: send one of them',
    })
    .meta({ id: 'CheckChanges', description: 'What is to be changed; everything is optional.' })
})

/** The change that a request's body asks for. Throws a `FieldRefusal` with every error. */
export function parseCheckChanges(body: unknown): {
  changes: CheckChanges
  channels?: string
  parents?: string[]
  policy?: number | string | null
} {
  const asked = parseBody(checkChanges(), body)
  const sent: Record<string, unknown> = asked
  const changes = Object.fromEntries(
    NATIVE_FIELDS.flatMap(({ name, key, type }) =>
      sent[key] === undefined ? [] : [[name, storedValue(type, sent[key])]],
    ),
  )
  const { channels: linked, depends_on: parents, policy } = asked
  return {
    changes,
    ...(linked === undefined ? {} : { channels: linked.join(',') }),
    ...(parents === undefined ? {} : { parents }),
    ...(policy === undefined ? {} : { policy }),
  }
}

/** Throws a `FieldRefusal` if `before` with `changes` has rules that cannot be meant. */
export function refuseRules(before: Settings, changes: CheckChanges): void {
  const wrong = rulesProblem(applyChanges(before, changes))
  if (wrong === null) return
  const { key } = NATIVE_FIELDS.find(({ name }) => name === wrong.field)!
  throw new FieldRefusal([{ detail: wrong.problem, pointer: `/${key}` }])
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
    .union([z.int().positive(), z.string().max(POLICY_LIMITS.nameLength), z.null()], {
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
      : z.string({ error: 'not a string' }).regex(/^\S+$/, { error: 'not a word without spaces' })
  return z.array(word, { error: `${key} is not a list` }).transform(words => words.join(separator))
}
