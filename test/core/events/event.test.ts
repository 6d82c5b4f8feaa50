import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventJson } from '../../../src/core/events/event.js'

test('long texts and lists are cut, at any depth, and say how long they were', () => {
  const values = {
    name: 'Backup',
    desc: 'x'.repeat(2_400_000),
    checks: Array(1_000).fill('a'),
    deep: { body: 'y'.repeat(2_001) },
  }
  const kept = JSON.parse(eventJson(values)) as typeof values
  assert.equal(kept.name, 'Backup')
  assert.equal(kept.desc, `${'x'.repeat(2_000)}… (2400000 characters)`)
  assert.equal(kept.checks.length, 201)
  assert.equal(kept.checks.at(-1), '… (1000 items)')
  assert.equal(kept.deep.body.length, 2_000 + '… (2001 characters)'.length)
})

test('what is short stays as it is', () => {
  const values = { tags: ['a', 'b'], grace: 60, policy: null, desc: 'x'.repeat(2_000) }
  assert.deepEqual(JSON.parse(eventJson(values)), values)
})
