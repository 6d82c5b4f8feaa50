/** Events as Punctual's own API, the stream and webhooks show them. */
import { z } from 'zod'
import { EVENT_TYPE_NAMES, OBJECT_KINDS } from '../../../core/events/event-types.js'
import { once } from '../../../lib/once.js'
import { pageSchema } from '../serve/page.js'

const values = (when: string) =>
  z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: `The fields that changed, as they were ${when} it. Secrets are masked.` })

export const eventSchema = once(() =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Grows with time; IDs may be missing.' }),
      type: z.enum(EVENT_TYPE_NAMES as [string, ...string[]]),
      at: z.iso.datetime({ offset: true }),
      object: z.strictObject({
        kind: z.enum(OBJECT_KINDS as [string, ...string[]]),
        id: z.string().meta({ description: 'Its ID or UUID in the API.' }),
        name: z.string().meta({ description: 'Its name at that time.' }),
      }),
      actor: z
        .strictObject({
          kind: z.enum(['person', 'token', 'key', 'link', 'command']),
          id: z.string().nullable(),
          name: z.string(),
          address: z.string().nullable().optional().meta({ description: 'For owners and managers only.' }),
        })
        .nullable()
        .meta({ description: 'Who did it; null: Punctual itself.' }),
      before: values('before'),
      after: values('after'),
    })
    .meta({ id: 'Event' }),
)

export const eventsAnswer = once(() => pageSchema(z.array(eventSchema())))
