/** The bodies of requests about policies, and the answers. */
import { z } from 'zod'
import { POLICY_LIMITS } from '../../../core/incidents/policy.js'
import { once } from '../../../lib/once.js'
import { uuid } from '../../api/schemas.js'
import { text } from '../../api/setting-schema.js'
import { pageSchema } from '../serve/page.js'

const wholeNumber = () => z.int({ error: 'not a whole number' })

const step = () =>
  z.strictObject({
    after: wholeNumber().meta({ description: 'Seconds since the check went down, without held time.' }),
    channels: z
      .union([z.literal('check'), z.array(z.uuid())], { error: 'not "check" or a list of UUIDs' })
      .meta({ description: '`check`: the channels of the check; or UUIDs of channels.' }),
  })

const fields = once(() => ({
  name: text('name')
    .trim()
    .min(1, { error: 'empty' })
    .max(POLICY_LIMITS.nameLength, { error: `longer than ${POLICY_LIMITS.nameLength} characters` })
    .meta({ description: 'No two policies of a project have the same.' }),
  default: z
    .boolean({ error: 'not true or false' })
    .meta({ description: 'Whether it applies to the checks of the project that name no other.' }),
  steps: z
    .array(step(), { error: 'steps is not a list' })
    .max(POLICY_LIMITS.steps, { error: `more than ${POLICY_LIMITS.steps}` })
    .meta({ description: 'In the order of `after`, from 0 to 604800 seconds.' }),
  repeat: z.strictObject({ every: wholeNumber(), times: wholeNumber() }).nullable().meta({
    description: 'Alerts everyone reached so far again: `times` times, `every` seconds after the last step.',
  }),
}))

export const newPolicy = once(() => {
  const { name, steps, repeat, default: isDefault } = fields()
  return z
    .strictObject({ name, steps, repeat: repeat.default(null), default: isDefault.default(false) })
    .meta({ id: 'NewPolicy' })
})

export const policyChanges = once(() =>
  z
    .strictObject(fields())
    .partial()
    .meta({ id: 'PolicyChanges', description: 'What is to be changed; everything is optional.' }),
)

const base = () => ({
  id: z.int(),
  name: z.string(),
  default: z.boolean(),
  repeat: z.strictObject({ every: z.int(), times: z.int() }).nullable(),
  checks: z.int().meta({ description: 'How many checks name it.' }),
})

export const writtenPolicy = once(() =>
  z
    .strictObject({
      ...base(),
      steps: z.array(
        z.strictObject({ after: z.int(), channels: z.union([z.literal('check'), z.array(uuid)]) }),
      ),
    })
    .meta({ id: 'Policy', description: 'A policy, as a read-write key sees it.' }),
)

const readOnlyPolicy = once(() =>
  z
    .strictObject({ ...base(), steps: z.array(z.strictObject({ after: z.int() })) })
    .meta({ id: 'ReadOnlyPolicy', description: 'A policy, as a read-only key sees it.' }),
)

export const policyAnswer = once(() => z.union([writtenPolicy(), readOnlyPolicy()]))

export const policiesAnswer = once(() =>
  pageSchema(z.union([z.array(writtenPolicy()), z.array(readOnlyPolicy())])),
)

export const deletedPolicy = once(() => z.strictObject({}))
