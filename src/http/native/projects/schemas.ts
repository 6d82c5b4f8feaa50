/** The bodies of requests about projects, their keys and tokens, and the answers. */
import { z } from 'zod'
import { TOKEN_NAME_LENGTH } from '../../../actions/projects/create-api-token.js'
import { FLIPS_SHAPES } from '../../../actions/projects/set-flips-shape.js'
import { MEMBER_ROLES } from '../../../core/people/role.js'
import { SCOPE_NAMES } from '../../../core/people/scopes.js'
import { PROTOCOL_NAMES } from '../../../core/projects/protocols.js'
import { once } from '../../../lib/once.js'
import { instant, uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const ROLES = ['owner', ...MEMBER_ROLES] as const

const name = () =>
  text('name').max(1_000, { error: 'too long' }).meta({
    description: 'At most 100 characters.',
  })

export const newProject = once(() => z.strictObject({ name: name() }).meta({ id: 'NewProject' }))

const flips = () =>
  z.enum(FLIPS_SHAPES, { error: `not one of ${FLIPS_SHAPES.join(', ')}` }).meta({
    description:
      'How version 3 of the API that Healthchecks has lists flips; `default`: as the operator set it.',
  })

const protocols = () =>
  z
    .array(z.enum(PROTOCOL_NAMES, { error: `not one of ${PROTOCOL_NAMES.join(', ')}` }), {
      error: 'protocols is not a list',
    })
    .meta({ description: 'The protocols of other monitors that the project accepts.' })

export const projectChanges = once(() =>
  z
    .strictObject({ name: name(), flips: flips(), protocols: protocols() })
    .partial()
    .meta({ id: 'ProjectChanges', description: 'What is to be changed; everything is optional.' }),
)

const entry = () => ({
  uuid,
  name: z.string(),
  role: z.enum(ROLES).meta({ description: 'That of the person of the token, or that of the token.' }),
})

export const projectsAnswer = once(() =>
  pageSchema(z.array(z.strictObject(entry()).meta({ id: 'ProjectEntry' }))),
)

export const projectAnswer = once(() =>
  z.strictObject({ ...entry(), flips: flips(), protocols: protocols() }).meta({ id: 'Project' }),
)

export const newOffer = once(() =>
  z
    .strictObject({ member: z.uuid({ error: 'not a UUID' }).meta({ description: 'The UUID of a member.' }) })
    .meta({ id: 'NewOffer' }),
)

const KINDS = ['rw', 'ro', 'ping'] as const
const kind = () => z.enum(KINDS, { error: `not one of ${KINDS.join(', ')}` })

export const newKey = once(() => z.strictObject({ kind: kind() }).meta({ id: 'NewKey' }))

const key = () => ({
  kind: kind(),
  hint: z.string().meta({ description: 'Its first characters; `ping` for the ping key.' }),
})

export const keysAnswer = once(() =>
  pageSchema(
    z.array(
      z
        .strictObject({
          ...key(),
          created_at: instant.nullable().meta({ description: 'Null for the ping key.' }),
          key: z.string().nullable().meta({
            description: 'The ping key, for tokens with the scopes that it amounts to; null for others.',
          }),
        })
        .meta({ id: 'Key' }),
    ),
  ),
)

export const createdKey = once(() =>
  z
    .strictObject({ ...key(), key: z.string().meta({ description: 'An API key is shown only now.' }) })
    .meta({ id: 'CreatedKey' }),
)

const scopes = () => z.array(z.enum(SCOPE_NAMES as [string, ...string[]], { error: 'not a scope' }))

export const newToken = once(() =>
  z
    .strictObject({
      name: text('name').max(TOKEN_NAME_LENGTH, { error: 'too long' }),
      scopes: scopes(),
      expires_at: z.iso
        .datetime({ offset: true, error: 'not an instant such as 2026-01-02T03:04:05Z' })
        .transform(written => Date.parse(written))
        .nullable()
        .meta({ description: 'Null: never.' }),
    })
    .meta({ id: 'NewToken' }),
)

const token = () => ({
  uuid,
  name: z.string(),
  scopes: scopes(),
  expires_at: instant.nullable(),
})

export const tokensAnswer = once(() =>
  pageSchema(
    z.array(
      z
        .strictObject({
          ...token(),
          hint: z.string().meta({ description: 'Its first characters.' }),
          author: z.string().nullable().meta({ description: 'Null: the operator, or a closed account.' }),
          created_at: instant,
          used_at: instant.nullable().meta({ description: 'To the hour; null: never.' }),
        })
        .meta({ id: 'Token' }),
    ),
  ),
)

export const createdToken = once(() =>
  z
    .strictObject({ ...token(), token: z.string().meta({ description: 'Shown only now.' }) })
    .meta({ id: 'CreatedToken' }),
)

export const nothing = once(() => z.strictObject({}))
