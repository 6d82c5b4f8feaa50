/** The bodies of requests about event webhooks, and the answers. */
import { z } from 'zod'
import { EVENT_TYPE_NAMES, OBJECT_KINDS } from '../../../core/events/event-types.js'
import { WEBHOOK_LIMITS } from '../../../core/events/webhook.js'
import { once } from '../../../lib/once.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const fields = once(() => ({
  name: text('name')
    .trim()
    .min(1, { error: 'empty' })
    .max(WEBHOOK_LIMITS.nameLength, { error: `longer than ${WEBHOOK_LIMITS.nameLength} characters` }),
  url: text('url')
    .max(WEBHOOK_LIMITS.urlLength, { error: `longer than ${WEBHOOK_LIMITS.urlLength} characters` })
    .refine(isWebAddress, { error: 'not an address that begins with http:// or https://' })
    .meta({ description: 'Where the events are sent.' }),
  types: z
    .array(z.enum([...EVENT_TYPE_NAMES, ...OBJECT_KINDS] as [string, ...string[]], { error: 'not a type' }), {
      error: 'not a list',
    })
    .max(EVENT_TYPE_NAMES.length, { error: 'too many' })
    .meta({
      description: 'Only these types; a kind, such as `check`, stands for all of its types. Empty: all.',
    }),
  enabled: z.boolean({ error: 'not true or false' }),
}))

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

export const newEventWebhook = once(() => {
  const { name, url, types, enabled } = fields()
  return z
    .strictObject({ name, url, types: types.default([]), enabled: enabled.default(true) })
    .meta({ id: 'NewEventWebhook' })
})

export const eventWebhookChanges = once(() =>
  z
    .strictObject(fields())
    .partial()
    .meta({ id: 'EventWebhookChanges', description: 'What is to be changed.' }),
)

const instant = () => z.iso.datetime({ offset: true })

export const eventWebhook = once(() =>
  z
    .strictObject({
      uuid: z.uuid(),
      name: z.string(),
      url: z.string(),
      types: z.array(z.enum(EVENT_TYPE_NAMES as [string, ...string[]])),
      enabled: z.boolean(),
      secret: z.string().meta({ description: 'Masked, except where it was just made.' }),
      failures: z.int().meta({ description: 'In a row.' }),
      failing_since: instant().nullable(),
      last_error: z.string(),
      last_sent: instant().nullable().meta({ description: 'When an event last arrived.' }),
      created_at: instant(),
    })
    .meta({ id: 'EventWebhook' }),
)

export const eventWebhooksAnswer = once(() => pageSchema(z.array(eventWebhook())))

export const eventAttempt = once(() =>
  z
    .strictObject({
      event: z.string().nullable().meta({ description: 'The ID of the event; null: a test.' }),
      type: z.string(),
      at: instant(),
      duration_ms: z.int(),
      status: z.int().nullable().meta({ description: 'Null: there was no answer.' }),
      error: z.string().meta({ description: 'Empty: it arrived.' }),
    })
    .meta({ id: 'EventAttempt' }),
)

export const eventAttemptsAnswer = once(() => pageSchema(z.array(eventAttempt())))

export const deletedEventWebhook = once(() => z.strictObject({}))
