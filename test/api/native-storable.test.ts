/** Texts in the bodies of requests to Punctual's own API: all can be stored by every database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { nativeRoutes } from '../../src/http/native/native-routes.js'

/** The names of free texts in a schema, and whether each refuses a NUL and half of a surrogate pair. */
function* textsOf(schema: z.core.$ZodType, name: string): Generator<[string, boolean]> {
  if (schema instanceof z.ZodObject)
    for (const [key, member] of Object.entries(schema.shape)) yield* textsOf(member, `${name}.${key}`)
  else if (schema instanceof z.ZodArray) yield* textsOf(schema.element, name)
  else if (schema instanceof z.ZodRecord) yield* textsOf(schema.valueType, name)
  else if (schema instanceof z.ZodUnion) for (const one of schema.options) yield* textsOf(one, name)
  else if (schema instanceof z.ZodPipe) yield* textsOf(schema.in, name)
  else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    yield* textsOf(schema.unwrap(), name)
  else if (schema instanceof z.ZodString)
    yield [name, ['aaaaaaaa\0', 'aaaaaaaa\ud800'].every(text => !schema.safeParse(text).success)]
}

test('every text in a body refuses characters that a database cannot store', () => {
  const texts = nativeRoutes.flatMap(({ methods }) =>
    Object.values(methods).flatMap(({ id, request }) => (request ? [...textsOf(request.json(), id)] : [])),
  )
  assert.ok(texts.length > 50, String(texts.length))
  const careless = texts.filter(([, refuses]) => !refuses).map(([name]) => name)
  assert.deepEqual(careless, [])
})
