/**
 * The answers about checks and what belongs to them, named as in the OpenAPI document, which alone needs them: they are
 * made when it is first read. core/wire creates their texts.
 */
import { z } from 'zod'
import { FINDING_CODES } from '../../../core/checks/findings/finding.js'
import { CAUSES } from '../../../core/checks/health/cause.js'
import { NATIVE_FIELDS, type NativeField, separatorOf } from '../../../core/wire/native-fields.js'
import { once } from '../../../lib/once.js'
import { answered, badgeSetSchema, instant, url, uuid } from '../../api/schemas.js'
import { pageSchema } from '../serve/page.js'

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

export const PING_KINDS = ['success', 'start', 'fail', 'log', 'ign'] as const

export const pingAnswer = once(() =>
  z
    .strictObject({
      n: z.int().meta({ description: 'Its number.' }),
      at: instant,
      ran_at: instant
        .nullable()
        .meta({ description: 'When it was to be sent, if it arrived late; `at` is when it arrived.' }),
      kind: z.enum(PING_KINDS),
      exit_status: z.int().nullable(),
      cause: z.enum(CAUSES).nullable().meta({ description: 'Why it failed, if it did not say so itself.' }),
      duration: z.number().nullable().meta({ description: 'Seconds that the run took, if it ended one.' }),
      run_id: uuid.nullable(),
      scheme: z.string(),
      remote_addr: z.string().nullable(),
      method: z.string(),
      ua: z.string(),
      body_size: z.int().meta({ description: 'Bytes; 0: it has no body.' }),
    })
    .meta({ id: 'Ping', description: 'A logged ping.' }),
)

const excerpt = once(() =>
  z
    .strictObject({
      line: z.int().meta({ description: 'Its number, from 1.' }),
      before: z.string(),
      found: z.string().meta({ description: 'The text as it is in the body.' }),
      after: z.string(),
    })
    .meta({
      id: 'Excerpt',
      description: 'The first line of the body that has the text; cut where it is long.',
    }),
)

const listedPing = once(() =>
  pingAnswer()
    .extend({
      excerpt: excerpt()
        .optional()
        .meta({ description: 'Where the body has the text, if `text` was asked for.' }),
    })
    .meta({ id: 'ListedPing', description: 'A logged ping in a list.' }),
)

export const pingsAnswer = once(() => pageSchema(z.array(listedPing())))

const flip = once(() =>
  z
    .strictObject({
      at: instant,
      before: z.enum(['new', 'up', 'down', 'paused']),
      status: z.enum(['new', 'up', 'down', 'paused']),
      reason: z.string().nullable().meta({ description: 'Why it went down.' }),
      since: instant.nullable().meta({ description: 'The first failure that counted, if it was earlier.' }),
    })
    .meta({ id: 'Flip', description: 'A change of status.' }),
)

export const flipsAnswer = once(() => pageSchema(z.array(flip())))

export const checkBadges = badgeSetSchema

export const badgesAnswer = once(() => {
  const tag = z.string().nullable().meta({ description: 'null: all checks.' })
  return pageSchema(
    z.array(
      z
        .strictObject({ tag, ...badgeSetSchema().shape })
        .meta({ id: 'TagBadges', description: 'The addresses of the badges of the checks with a tag.' }),
    ),
  )
})

export const tagsAnswer = once(() =>
  pageSchema(
    z.array(
      z
        .strictObject({ tag: z.string(), checks: z.int(), down: z.int(), late: z.int() })
        .meta({ id: 'Tag', description: 'A tag, and how many checks have it.' }),
    ),
  ),
)
