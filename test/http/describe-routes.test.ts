/** The OpenAPI document is made at a reader's first request, while pings and alerts go on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Described, describeApi } from '../../src/http/openapi/describe-routes.js'

test('each operation is described in a step, and a schema of several is converted once', () => {
  const problem = z.object({ detail: z.string() }).meta({ id: 'Problem' })
  const operation = (id: string): Described => ({
    id,
    summary: id,
    responses: { 204: { description: 'Done.' } },
    errors: { 404: 'There is none.', 409: 'It is over.' },
  })
  const steps = describeApi(
    [{ path: '/checks', methods: { GET: operation('list'), POST: operation('create') } }],
    {
      securitySchemes: {},
      access: () => ({ text: '', isOpen: true }),
      errorContent: (_, schemaOf) => ({ 'application/json': { schema: schemaOf(problem) } }),
    },
    { title: '', version: '', description: '', address: '' },
  )
  const taken = [steps.next(), steps.next(), steps.next()]
  assert.deepEqual(
    taken.map(({ done }) => done),
    [false, false, true],
  )
  const document = taken[2]!.value!
  const described = Object.values(document.paths['/checks']!).flatMap(({ responses }) =>
    [404, 409].map(status => responses[status]!.content!['application/json']!.schema),
  )
  assert.deepEqual(described[0], { $ref: '#/components/schemas/Problem' })
  assert.deepEqual([described.length, new Set(described).size], [4, 1])
  assert.deepEqual(Object.keys(document.components.schemas), ['Problem'])
})
