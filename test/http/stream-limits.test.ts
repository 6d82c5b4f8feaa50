import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamLimits } from '../../src/http/native/events/stream-limits.js'

test('the tokens of one project cannot take the streams of the others', () => {
  const limits = new StreamLimits()
  const open = (projectId: number, tokens: number) =>
    Array.from({ length: tokens * 10 }, (_, n) => limits.open(`token:${n % tokens}`, projectId))
  const first = open(1, 30)
  assert.equal(first.filter(Boolean).length, 100)
  assert.equal(open(2, 1).filter(Boolean).length, 10)
  assert.equal(limits.open('token:0', 2), null)
  const leave = first[0]!
  leave()
  leave()
  assert.ok(limits.open('token:0', 1))
  assert.equal(limits.open('token:1', 1), null)
})
