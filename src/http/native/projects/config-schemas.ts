/** The bodies of requests about configuration as code, and the answers. */
import { z } from 'zod'
import { SECTIONS } from '../../../core/config/project-config.js'
import { once } from '../../../lib/once.js'
import { text } from '../../api/setting-schema.js'

const OWNER_LENGTH = 200

const asked = () => ({
  document: z.record(z.string(), z.unknown(), { error: 'not an object' }).meta({
    description:
      'The content of the file as JSON, with its variables replaced. `GET /config/schema` has its JSON Schema.',
  }),
  owner: text('owner')
    .trim()
    .min(1, { error: 'empty' })
    .max(OWNER_LENGTH, { error: `longer than ${OWNER_LENGTH} characters` })
    .default('punctual.yaml')
    .meta({ description: 'The name of the file. It owns what it creates or changes.' }),
  prune: z
    .boolean({ error: 'not true or false' })
    .default(false)
    .meta({ description: 'Whether what the file owns and no longer has is deleted.' }),
  max_deletes: z
    .int({ error: 'not a whole number' })
    .min(0, { error: 'negative' })
    .nullable()
    .default(null)
    .meta({ description: 'How many objects may be deleted. Null: a fifth of what the file owns.' }),
})

export const planRequest = once(() => z.strictObject(asked()).meta({ id: 'ConfigPlanRequest' }))

export const applyRequest = once(() =>
  z
    .strictObject({
      ...asked(),
      fingerprint: text('fingerprint')
        .nullable()
        .default(null)
        .meta({ description: 'Of the plan that is to be applied; null: whatever the project is now.' }),
    })
    .meta({ id: 'ConfigApplyRequest' }),
)

const section = () => z.enum(SECTIONS)

const steps = () =>
  z.array(
    z.strictObject({
      action: z.enum(['create', 'adopt', 'change', 'delete']).meta({
        description: '`adopt`: the object was made by other means, and from now on the file owns it.',
      }),
      section: section(),
      key: z.string(),
      moved_from: z.string().nullable().meta({ description: 'Its key before.' }),
      fields: z.array(
        z.strictObject({
          name: z.string(),
          before: z.unknown().meta({ description: 'Null if it is a secret.' }),
          after: z.unknown().meta({ description: 'Null if it is a secret.' }),
          secret: z.boolean(),
        }),
      ),
    }),
  )

const left = () =>
  z.array(z.strictObject({ section: section(), key: z.string() })).meta({
    description: 'What the file owns and no longer has, and what stays because nothing is to be deleted.',
  })

export const planAnswer = once(() =>
  z
    .strictObject({
      fingerprint: z.string().meta({ description: 'Of the project: `/config:apply` takes it.' }),
      steps: steps(),
      left: left(),
      problems: z.array(z.strictObject({ at: z.array(z.string()), problem: z.string() })).meta({
        description: 'What is wrong with the file, with the places in it. None: it can be applied.',
      }),
    })
    .meta({ id: 'ConfigPlan' }),
)

export const applyAnswer = once(() =>
  z.strictObject({ steps: steps(), left: left() }).meta({ id: 'ConfigApplied' }),
)

export const exportAnswer = once(() =>
  z
    .strictObject({
      document: z.record(z.string(), z.unknown()).meta({
        description: 'The file as JSON. It has a variable such as `OPS_URL` in place of each secret.',
      }),
      variables: z
        .array(z.strictObject({ name: z.string(), at: z.array(z.string()) }))
        .meta({ description: 'The variables that stand for secrets, with their places.' }),
    })
    .meta({ id: 'ConfigExport' }),
)

export const schemaAnswer = once(() => z.record(z.string(), z.unknown()).meta({ id: 'ConfigSchema' }))
