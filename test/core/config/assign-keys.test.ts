import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assignKeys } from '../../../src/core/config/assign-keys.js'

/** The same, with every number tried for every object. */
function plainKeys(objects: readonly { key: string | null; name: string }[], unnamed: string): string[] {
  const used = new Set(objects.flatMap(({ key }) => key ?? []))
  return objects.map(({ key, name }) => {
    if (key !== null) return key
    const start = name || unnamed
    let unused = start
    for (let count = 2; used.has(unused); count++)
      unused = `${start.slice(0, 100 - `-${count}`.length)}-${count}`
    used.add(unused)
    return unused
  })
}

const long = 'a'.repeat(94)
// As slugs, so that making one of a name changes nothing.
const names = fc.constantFrom(
  '',
  'ops',
  'ops-2',
  `${long}bcdefg`,
  `${long}bcdefh`,
  `${long}bcdxyz`,
  `${long}-2`,
  long,
)

test('each object without a key gets the first unused one, also among many of one name', () => {
  const object = fc.record({
    key: fc.option(fc.constantFrom('ops', 'ops-3', 'ops-11', `${long}-9`, `${long}bcd-10`), { freq: 20 }),
    name: names,
  })
  fc.assert(
    fc.property(fc.array(object, { maxLength: 150, size: 'max' }), objects => {
      assert.deepEqual(assignKeys(objects, 'check'), plainKeys(objects, 'check'))
    }),
  )
})

test('ten thousand objects of one name get ten thousand keys', () => {
  const keys = assignKeys(
    Array.from({ length: 10_000 }, () => ({ key: null, name: 'ops' })),
    'check',
  )
  assert.equal(keys.at(-1), 'ops-10000')
  assert.equal(new Set(keys).size, 10_000)
})
