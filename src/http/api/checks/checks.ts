import { z } from 'zod'
import { SLUG } from '../../../core/checks/text-formats.js'
import type { Operation } from '../operation.js'
import { anyKey, notAllowed, writeKey } from '../refusals.js'
import { checkSchema, readWriteCheckSchema } from '../schemas.js'
import { checkFields, parseCheckFields } from './check-fields.js'
import { askedCheck, uniqueValues } from './check-request.js'
import { viewerOf, writtenAnswer } from './show.js'

export const listChecks: Operation = {
  id: 'listChecks',
  summary: 'List the checks of the project',
  key: 'ro',
  query: [
    { name: 'slug', description: 'Only checks with this slug.', schema: z.string().optional() },
    {
      name: 'tag',
      description: 'Only checks with this tag; given several times, with all of them.',
      schema: z.array(z.string()).optional(),
    },
  ],
  responses: {
    200: { description: 'The checks.', schema: () => z.object({ checks: z.array(checkSchema()) }) },
  },
  errors: anyKey,
  async handle(call) {
    const filter = { slug: call.query.getAll('slug').at(-1) || null, tags: call.query.getAll('tag') }
    // No check has any other slug, and not every database accepts every character.
    if (filter.slug !== null && !SLUG.test(filter.slug)) return { status: 200, body: '{"checks": []}' }
    return { status: 200, body: await call.deps.store.checks.showList(viewerOf(call), filter) }
  },
}

export const createCheck: Operation = {
  id: 'createCheck',
  summary: 'Create a check',
  description:
    'With `unique`, a check that has the same values in the fields named there is changed instead (200).',
  key: 'rw',
  request: { json: checkFields },
  responses: {
    201: { description: 'The check was created.', schema: readWriteCheckSchema },
    200: { description: 'A known check was changed.', schema: readWriteCheckSchema },
  },
  errors: { ...notAllowed, ...writeKey, 403: 'The account has reached its limit of checks.' },
  async handle(call) {
    const fields = parseCheckFields(call.body)
    const asked = { ...askedCheck(fields, call.version, call.now), unique: uniqueValues(fields) }
    const written = await call.deps.store.checks.create(call.access.projectId, asked)
    return writtenAnswer(call, written, written.created ? 201 : 200)
  },
}
