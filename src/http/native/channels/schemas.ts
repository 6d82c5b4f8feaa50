/** The bodies of requests about channels, and the answers. */
import { z } from 'zod'
import { once } from '../../../lib/once.js'
import { instant, uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const settings = () =>
  z.record(z.string(), text('setting').max(100_000, { error: 'too long' })).meta({
    description: 'By the names of the fields of the kind; all values are text, flags `true` or `false`.',
  })

const name = () => text('name').max(1_000, { error: 'too long' })

export const newChannel = once(() =>
  z
    .strictObject({
      kind: text('kind').max(100, { error: 'too long' }),
      name: name().default(''),
      settings: settings().default({}),
    })
    .meta({ id: 'NewChannel' }),
)

export const channelChanges = once(() =>
  z
    .strictObject({
      name: name(),
      settings: settings().meta({ description: 'Those to be changed; the others, and secrets, stay.' }),
      enabled: z.boolean({ error: 'not true or false' }),
    })
    .partial()
    .meta({ id: 'ChannelChanges', description: 'What is to be changed; everything is optional.' }),
)

export const channelAnswer = once(() =>
  z
    .strictObject({
      uuid,
      kind: z.string(),
      name: z.string(),
      settings: settings().meta({ description: 'Secrets are masked.' }),
      enabled: z.boolean(),
      confirmed: z.boolean().meta({ description: 'False until the owner of the address has agreed.' }),
      last_notify: instant.nullable(),
      last_error: z.string().meta({ description: 'Of the last attempt; empty after a success.' }),
      created_at: instant,
    })
    .meta({ id: 'Channel' }),
)

/** Not a channel yet: a person has to go to this address. */
const toSetUp = once(() =>
  z
    .strictObject({
      setup_url: z.string().meta({ description: 'The page where a person finishes it, signed in.' }),
      reason: z.string(),
    })
    .meta({ id: 'ChannelSetup' }),
)

export const setupAnswer = toSetUp
export const channelsAnswer = once(() => pageSchema(z.array(channelAnswer())))

export const kindsAnswer = once(() =>
  z.strictObject({
    kinds: z.array(
      z
        .strictObject({
          kind: z.string(),
          label: z.string(),
          help: z.string(),
          available: z.boolean().meta({ description: 'Whether this installation can send through it.' }),
          by_api: z.boolean().meta({ description: 'Whether it can be created here; if not, on a page.' }),
          fields: z.array(
            z.strictObject({
              name: z.string(),
              label: z.string(),
              type: z.string(),
              required: z.boolean(),
              sensitive: z.boolean(),
              choices: z.array(z.string()).nullable(),
              default: z.string(),
              help: z.string(),
            }),
          ),
        })
        .meta({ id: 'ChannelKind' }),
    ),
  }),
)

export const assignment = once(() =>
  z
    .strictObject({ checks: z.array(z.uuid({ error: 'not a UUID' })).max(10_000, { error: 'too many' }) })
    .meta({ id: 'ChannelChecks', description: 'The UUIDs of all checks that it is assigned to.' }),
)

const testResult = () => ({
  status: z.enum(['up', 'down']),
  error: z.string().meta({ description: 'Empty: it was delivered.' }),
  duration_ms: z.int(),
})

export const testAnswer = once(() =>
  z
    .strictObject({
      results: z.array(z.strictObject({ channel: uuid, ...testResult() })),
    })
    .meta({ id: 'ChannelTest' }),
)

export const newChannelTest = once(() => z.strictObject(testResult()).meta({ id: 'NewChannelTest' }))

export const notificationsAnswer = once(() =>
  z
    .strictObject({
      notifications: z.array(
        z.strictObject({
          at: instant,
          check: uuid.nullable().meta({ description: 'Null for tests and notices.' }),
          status: z.string(),
          attempt: z.int().nullable().meta({
            description: 'Null if none was made: the message was dropped, and `error` says why.',
          }),
          error: z.string().meta({ description: 'Empty after a success.' }),
          test: z.boolean(),
        }),
      ),
    })
    .meta({ id: 'ChannelNotifications' }),
)

export const nothing = once(() => z.strictObject({}))
