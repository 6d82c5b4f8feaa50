/** The bodies of requests about silences, and the answers. */
import { z } from 'zod'
import {
  LONGEST_LIST,
  REASON_MAX_LENGTH,
  SNOOZE_SECONDS,
  WINDOW_SECONDS,
} from '../../../core/silences/limits.js'
import { once } from '../../../lib/once.js'
import { instant, uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const time = () =>
  z.iso
    .datetime({ offset: true, error: 'not an instant such as 2026-01-02T03:04:05Z' })
    .transform(written => Date.parse(written))
const from = () =>
  time().optional().meta({
    description:
      'When it begins; now at the earliest, and by default. It cannot be changed once it has begun.',
  })
const words = (name: string) => text(name).trim()

const recurring = {
  duration: z
    .int({ error: 'not a whole number of seconds' })
    .min(WINDOW_SECONDS.least)
    .max(WINDOW_SECONDS.most)
    .meta({ description: 'How long each window lasts, in elapsed seconds.' }),
  timezone: words('timezone').meta({ description: 'By whose clock windows begin, such as `Europe/Riga`.' }),
  from: from(),
}

const when = () =>
  z
    .union(
      [
        z.strictObject({ from: from(), to: time() }),
        z.strictObject({ cron: words('cron'), ...recurring }),
        z.strictObject({ oncalendar: words('oncalendar'), ...recurring }),
      ],
      {
        error:
          'give either "to", or "cron" or "oncalendar" with "duration" (60 to 604800 seconds) and "timezone"; ' +
          '"from" and "to" are instants such as 2026-01-02T03:04:05Z',
      },
    )
    .meta({ description: 'Once, or again and again.' })

const list = (item: string) =>
  z
    .array(text(item), { error: 'not a list' })
    .min(1, { error: 'empty' })
    .max(LONGEST_LIST, { error: 'too many' })

const scope = () =>
  z
    .union(
      [
        z.strictObject({ checks: list('UUID').meta({ description: 'UUIDs.' }) }),
        z.strictObject({ tags: list('tag').meta({ description: 'Checks with at least one of them.' }) }),
        z.strictObject({ project: z.literal(true) }),
      ],
      { error: 'give {"checks": [UUIDs]}, {"tags": [...]} or {"project": true}' },
    )
    .meta({ description: 'Which checks.' })

const mode = () =>
  z.enum(['hold', 'expect_nothing'], { error: 'not hold or expect_nothing' }).meta({
    description: '`expect_nothing`: in that time no run is expected, either.',
  })

const fields = once(() => ({
  mode: mode(),
  scope: scope(),
  channels: list('UUID').nullable().meta({ description: 'UUIDs; null: all channels.' }),
  when: when(),
  reason: text('reason')
    .max(REASON_MAX_LENGTH, { error: `longer than ${REASON_MAX_LENGTH} characters` })
    .meta({ description: 'Shown wherever an alert is held by this silence.' }),
}))

export const newSilence = once(() => {
  const { mode, scope, channels, when, reason } = fields()
  return z
    .strictObject({
      mode: mode.default('hold'),
      scope,
      channels: channels.default(null),
      when,
      reason: reason.default(''),
    })
    .meta({ id: 'NewSilence' })
})

export const silenceChanges = once(() =>
  z
    .strictObject(fields())
    .partial()
    .meta({ id: 'SilenceChanges', description: 'What is to be changed; everything is optional.' }),
)

export const snooze = once(() =>
  z
    .strictObject({
      seconds: z
        .int({ error: 'not a whole number of seconds' })
        .min(SNOOZE_SECONDS.least, { error: `less than ${SNOOZE_SECONDS.least}` })
        .max(SNOOZE_SECONDS.most, { error: `more than ${SNOOZE_SECONDS.most}` }),
    })
    .meta({ id: 'Snooze' }),
)

const base = () => ({
  id: z.int(),
  state: z.enum(['active', 'coming', 'past']),
  mode: z.enum(['hold', 'expect_nothing']),
  scope: z
    .union([
      z.strictObject({ checks: z.array(z.string()) }),
      z.strictObject({ tags: z.array(z.string()) }),
      z.strictObject({ project: z.literal(true) }),
    ])
    .meta({ description: 'Checks: their UUIDs, or for a read-only key their unique keys.' }),
  when: z.union([
    z.strictObject({ from: instant, to: instant }),
    z.strictObject({ cron: z.string(), duration: z.int(), timezone: z.string(), from: instant }),
    z.strictObject({ oncalendar: z.string(), duration: z.int(), timezone: z.string(), from: instant }),
  ]),
  reason: z.string(),
  changes_at: instant.nullable().meta({ description: 'When it next begins or ceases to be active.' }),
  over_at: instant.nullable().meta({ description: 'When nothing of it is active any more; null: never.' }),
  ended_at: instant.nullable().meta({ description: 'When it was ended before its time.' }),
  created_at: instant,
})

const readWriteSilence = once(() =>
  z
    .strictObject({
      ...base(),
      channels: z.array(uuid).nullable().meta({ description: 'null: all channels.' }),
      created_by: z.string(),
    })
    .meta({ id: 'Silence', description: 'A silence, as a read-write key sees it.' }),
)

const readOnlySilence = once(() =>
  z
    .strictObject(base())
    .meta({ id: 'ReadOnlySilence', description: 'A silence, as a read-only key sees it.' }),
)

export const writtenSilence = readWriteSilence

export const silenceAnswer = once(() => z.union([readWriteSilence(), readOnlySilence()]))

export const silencesAnswer = once(() =>
  pageSchema(z.union([z.array(readWriteSilence()), z.array(readOnlySilence())])),
)
