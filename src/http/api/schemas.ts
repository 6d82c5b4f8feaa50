/**
 * The responses of the API, named as in the OpenAPI document, which alone needs them: they are made when it is first
 * read. core/wire creates their texts.
 */
import { z } from 'zod'
import type { FieldType } from '../../core/checks/check-field.js'
import { FIELD_LIST } from '../../core/checks/check-fields.js'
import { CHECK_KEYS, type ReadOnlyCheck, type ReadWriteCheck } from '../../core/wire/check.js'
import { once } from '../../lib/once.js'

export const uuid = z.string().meta({ format: 'uuid' })
export const instant = z.string().meta({ format: 'date-time' })
export const url = z.string().meta({ format: 'uri' })

/** The fields of a check in a response that are not settings. */
const state = (): Record<string, z.ZodType> => ({
  n_pings: z.int().meta({ description: 'Pings received so far.' }),
  status: z
    .enum(['new', 'up', 'grace', 'down', 'paused', 'started'])
    .meta({ description: '`started` occurs in version 1 only.' }),
  started: z.boolean().meta({ description: 'A run has begun and not finished.' }),
  last_ping: instant.nullable(),
  next_ping: instant.nullable().meta({ description: 'When the next ping is expected.' }),
  subject: z.string().meta({ deprecated: true }),
  subject_fail: z.string().meta({ deprecated: true }),
  badge_url: url,
})

const checkBase = once(() => {
  const settings = FIELD_LIST.flatMap(({ api, type }) => (api === undefined ? [] : [[api, answered(type)]]))
  const known: Record<string, z.ZodType> = { ...Object.fromEntries(settings), ...state() }
  return {
    ...Object.fromEntries(CHECK_KEYS.map(key => [key, known[key]!])),
    last_duration: z.int().optional().meta({ description: 'Seconds that the last run took.' }),
    timeout: z.int().optional().meta({ description: 'Simple checks: the period in seconds.' }),
    schedule: z.string().optional().meta({ description: 'Cron and OnCalendar checks.' }),
    tz: z.string().optional().meta({ description: 'Cron and OnCalendar checks.' }),
  }
})

/** A setting in a response. It has only the type, because stored values are already within the limits. */
export function answered(type: FieldType): z.ZodType {
  switch (type.is) {
    case 'text':
      return z.string()
    case 'flag':
      return z.boolean()
    case 'seconds':
    case 'number':
      return type.optional ? z.int().nullable() : z.int()
    case 'choice':
      return z.enum(type.words as [string, ...string[]])
  }
}

export const readWriteCheckSchema = once(
  () =>
    z
      .strictObject({
        ...checkBase(),
        uuid,
        ping_url: url,
        update_url: url,
        pause_url: url,
        resume_url: url,
        channels: z.string().meta({ description: 'UUIDs of the channels, comma-separated.' }),
      })
      .meta({
        id: 'Check',
        description: 'A check, as a read-write key sees it.',
      }) as unknown as z.ZodType<ReadWriteCheck>,
)

export const readOnlyCheckSchema = once(
  () =>
    z.strictObject({ ...checkBase(), unique_key: z.string() }).meta({
      id: 'ReadOnlyCheck',
      description: 'A check, as a read-only key sees it.',
    }) as unknown as z.ZodType<ReadOnlyCheck>,
)

export const checkSchema = once(() => z.union([readWriteCheckSchema(), readOnlyCheckSchema()]))

export const pingSchema = once(() =>
  z
    .strictObject({
      type: z.enum(['success', 'start', 'fail', 'log', 'ign']),
      date: instant,
      n: z.int(),
      scheme: z.string(),
      remote_addr: z.string().nullable(),
      method: z.string(),
      ua: z.string(),
      rid: uuid.nullable(),
      body_url: url.nullable(),
      duration: z.number().optional().meta({ description: 'Seconds that the run took.' }),
    })
    .meta({ id: 'Ping', description: 'A logged ping.' }),
)

export const flipSchema = once(() =>
  z
    .strictObject({
      timestamp: instant,
      up: z.union([z.literal(0), z.literal(1)]).meta({ description: '1: the check went up; 0: down.' }),
    })
    .meta({ id: 'Flip', description: 'A change of status.' }),
)

export const channelSchema = once(() =>
  z
    .strictObject({ id: uuid, name: z.string(), kind: z.string() })
    .meta({ id: 'Channel', description: 'Where alerts go.' }),
)

export const badgeSetSchema = once(() =>
  z
    .strictObject({ svg: url, svg3: url, json: url, json3: url, shields: url, shields3: url })
    .meta({ id: 'BadgeSet', description: 'The addresses of a tag’s badges.' }),
)

export const metricsSchema = once(() =>
  z
    .strictObject({
      ts: z.int(),
      max_ping_id: z.int().nullable(),
      max_notification_id: z.int().nullable(),
      num_unprocessed_flips: z.int(),
    })
    .meta({ id: 'Metrics', description: 'Counters of the whole instance.' }),
)

export const errorSchema = once(() =>
  z.strictObject({ error: z.string() }).meta({ id: 'Error', description: 'Why a request was refused.' }),
)
