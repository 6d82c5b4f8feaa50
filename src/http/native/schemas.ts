/**
 * The responses of Punctual's own API, named as in its OpenAPI document, which alone needs them: they are made when it
 * is first read. core/wire creates their texts.
 */
import { z } from 'zod'
import { FINDING_CODES } from '../../core/checks/findings/finding.js'
import { CAUSES } from '../../core/checks/health/cause.js'
import { NATIVE_FIELDS, type NativeField, separatorOf } from '../../core/wire/native-fields.js'
import { once } from '../../lib/once.js'
import { answered, instant, url, uuid } from '../api/schemas.js'
import { pageSchema } from './serve/page.js'

/** A setting in a response, even if the kind of the check does not use it. */
function answeredSetting({ key, type, about }: NativeField): z.ZodType {
  const separator = separatorOf(type)
  const words = separator === ',' ? z.enum(CAUSES) : z.string()
  const value = separator === null ? answered(type) : z.array(words)
  const schema = ['period', 'schedule', 'tz'].includes(key) ? value.nullable() : value
  return about === undefined ? schema : schema.meta({ description: about })
}

const checkBase = once(() => ({
  kind: z.enum(['simple', 'cron', 'oncalendar']),
  ...Object.fromEntries(NATIVE_FIELDS.map(field => [field.key, answeredSetting(field)])),
  depends_on: z.array(z.string()).meta({
    description: 'The checks on which it depends: UUIDs, or unique keys for a read-only key.',
  }),
  policy: z
    .int()
    .nullable()
    .meta({ description: 'The ID of the policy that it names; null: that of the project.' }),
  status: z.enum(['new', 'up', 'grace', 'down', 'paused']),
  failing: z
    .strictObject({ count: z.int(), of: z.int(), since: instant })
    .nullable()
    .meta({ description: 'The failures that count so far, while the check is not down.' }),
  incident: z.int().nullable().meta({ description: 'The ID of its open incident.' }),
  started: z.boolean().meta({ description: 'A run has begun and not finished.' }),
  n_pings: z.int().meta({ description: 'Pings received so far.' }),
  last_ping: instant.nullable(),
  next_ping: instant.nullable().meta({ description: 'When the next ping is expected.' }),
  last_duration: z.int().nullable().meta({ description: 'Seconds that the last run took.' }),
  created_at: instant,
  badge_url: url,
}))

export const writtenCheck = once(() =>
  z
    .strictObject({
      uuid,
      ping_url: url,
      channels: z.array(uuid).meta({ description: 'UUIDs of the channels.' }),
      ...checkBase(),
    })
    .meta({ id: 'Check', description: 'A check, as a read-write key sees it.' }),
)

const readOnlyCheck = once(() =>
  z
    .strictObject({ unique_key: z.string(), ...checkBase() })
    .meta({ id: 'ReadOnlyCheck', description: 'A check, as a read-only key sees it.' }),
)

export const checkAnswer = once(() => z.union([writtenCheck(), readOnlyCheck()]))

export const checksAnswer = once(() =>
  pageSchema(z.union([z.array(writtenCheck()), z.array(readOnlyCheck())])),
)

const run = once(() =>
  z
    .strictObject({
      run_id: uuid.nullable(),
      start: instant.nullable(),
      end: instant.nullable(),
      duration: z.int().nullable().meta({ description: 'Seconds, as far as it is known.' }),
      outcome: z.enum(['success', 'failed', 'too_short', 'overrun', 'superseded', 'open']),
      exit_status: z.int().nullable(),
      pings: z.array(z.int()).meta({ description: 'The numbers of its pings.' }),
    })
    .meta({ id: 'Run', description: 'A run of the job.' }),
)

export const runsAnswer = once(() => pageSchema(z.array(run())))

const fieldError = once(() =>
  z
    .strictObject({
      detail: z.string(),
      pointer: z.string().optional().meta({ description: 'Where in the body (RFC 6901).' }),
      parameter: z.string().optional().meta({ description: 'Which parameter of the query.' }),
    })
    .meta({ id: 'FieldError', description: 'What is wrong with a field or a parameter.' }),
)

const finding = once(() =>
  z
    .strictObject({
      code: z.enum(FINDING_CODES),
      evidence: z.string().meta({ description: 'A sentence with numbers.' }),
      patch: z
        .strictObject(
          Object.fromEntries(NATIVE_FIELDS.map(field => [field.key, answeredSetting(field).optional()])),
        )
        .nullable()
        .meta({ description: 'What would change it, as a PATCH of the check takes it.' }),
    })
    .meta({ id: 'Finding', description: 'What about a check may be meant otherwise than it is set.' }),
)

export const findingsAnswer = once(() => z.strictObject({ findings: z.array(finding()) }))

/** An error: problem details (RFC 9457). */
export const problemSchema = once(() =>
  z
    .strictObject({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      errors: z.array(fieldError()).optional().meta({ description: 'With status 422.' }),
      scope: z.string().nullable().optional().meta({
        description: 'With status 403: the scope that a token needs; null: any token will do.',
      }),
    })
    .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457).' }),
)
