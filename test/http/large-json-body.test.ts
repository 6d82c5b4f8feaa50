/** Bodies with very many values, which are parsed in turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../src/core/errors.js'
import { parseJsonBody } from '../../src/http/api/json-body.js'
import { parseLargeJson } from '../../src/http/api/large-json-body.js'
import { finished } from '../_support/config/at-once.js'

const parse = (text: string, levels: number) => finished(parseLargeJson(Buffer.from(text), levels))

/** What a parser returns, or the message of its refusal. */
function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

test('JSON that is parsed in turns is the same', () => {
  const body = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '1', 'é')),
    fc.jsonValue(),
  )
  const spaces = fc.constantFrom(undefined, 1, '\t \n')
  fc.assert(
    fc.property(body, spaces, fc.integer({ min: 1, max: 4 }), (value, space, levels) => {
      const text = ` ${JSON.stringify(value, null, space)}\r\n`
      const parsed = parse(text, levels)
      assert.deepEqual(parsed, JSON.parse(text))
      assert.equal(JSON.stringify(parsed), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('the last of members with one name counts', () => {
  const text = '{"a": {"b": 1, "c": 2, "b": {"d": 3}}, "a ": 1, "a": {"b": 4}}'
  for (const levels of [1, 2, 3]) assert.deepEqual(parse(text, levels), JSON.parse(text))
})

test('what is not JSON is refused wherever it is broken', () => {
  const whole = '{"a": {"b": [1, {"c": "x\\"}"}], "d": null}, "e": "é"}'
  fc.assert(
    fc.property(
      fc.nat(whole.length - 1),
      fc.constantFrom('', ',', '}', '{', '"', ':', ']', ' x', '\\', '\0'),
      fc.nat(2),
      fc.integer({ min: 1, max: 4 }),
      (place, added, removed, levels) => {
        const text = whole.slice(0, place) + added + whole.slice(place + removed)
        const bytes = Buffer.from(text)
        const [inTurns, atOnce] = [
          outcome(() => parse(text, levels)),
          outcome(() => parseJsonBody(bytes)),
        ].map(value => (typeof value === 'string' ? 'refused' : value))
        assert.deepEqual(inTurns, bytes.length === 0 ? 'refused' : atOnce)
      },
    ),
    { numRuns: 1_000 },
  )
  for (const bytes of [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from('\ufeff{}')])
    assert.throws(() => finished(parseLargeJson(bytes, 3)), { code: 'invalid' })
  assert.throws(() => parse('[1]', 3), { message: 'json validation error: value is not an object' })
})

test('it has limits, and within them each member of an outer object is a turn', () => {
  const objects = (count: number, value: string) =>
    `{"document": {"checks": {${Array.from({ length: count }, (_, n) => `"c${n}": ${value}`).join()}}}}`
  const listed = (count: number) => `[${'1,'.repeat(count - 1)}1]`
  let turns = 0
  const parsing = parseLargeJson(Buffer.from(objects(20_000, '{"tags": ["a", "b", "c"]}')), 3)
  while (!parsing.next().done) turns++
  assert.ok(turns >= 20_000)
  for (const [text, message] of [
    [objects(30_001, '{}'), /an object in the request body has more than 30000 members/],
    [objects(26, listed(9_999)), /more than 250000 values/],
    [objects(1, listed(10_001)), /more than 10000 values/],
    [objects(1, '['.repeat(40) + ']'.repeat(40)), /more than 32 levels deep/],
    [`{${Array.from({ length: 1_001 }, (_, n) => `"t${n}": 1`).join()}}`, /more than 1000 members/],
  ] as const)
    assert.throws(() => parse(text, 3), { code: 'invalid', message })
})

test('a long value is looked at in several turns', () => {
  let turns = 0
  const parsing = parseLargeJson(Buffer.from(`{"a": [${'"xxxx", '.repeat(9_000)}1]}`), 1)
  while (!parsing.next().done) turns++
  assert.ok(turns >= 3)
})
