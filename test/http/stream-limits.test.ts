import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamLimits } from '../../src/http/native/events/stream-limits.js'

test('the tokens of one project cannot take the streams of the others', () => {
  const limits = new StreamLimits()
  const open = (projectId: number, tokens: number) =>
    Array.from({ length: tokens * 10 }, (_, n) => limits.open(`token:${n % tokens}`, projectId, 0))
  const first = open(1, 30)
  assert.equal(first.filter(Boolean).length, 100)
  assert.equal(open(2, 1).filter(Boolean).length, 10)
  assert.equal(limits.open('token:0', 2, 0), null)
  const leave = first[0]!
  leave()
  leave()
  assert.ok(limits.open('token:0', 1, 0))
  assert.equal(limits.open('token:1', 1, 0), null)
})

test('streams are opened again no more often than ten readers that reconnect do', () => {
  const limits = new StreamLimits()
  /** How many of 2,000 attempts opened a stream, which was closed at once. */
  const opened = (caller: string, projectId: number, now: number) => {
    let count = 0
    for (let n = 0; n < 2_000; n++) {
      const leave = limits.open(caller, projectId, now)
      leave?.()
      if (leave) count++
    }
    return count
  }
  assert.equal(opened('token:0', 1, 0), 100)
  assert.equal(opened('token:0', 1, 60_000), 100)
  assert.equal(opened('token:0', 1, 61_000), 5)
  assert.equal(opened('token:0', 2, 61_000), 100, 'those of another project count apart')
  const ofProject = Array.from({ length: 20 }, (_, n) => opened(`token:${n}`, 3, 0))
  assert.deepEqual([ofProject[9], ofProject[10]], [100, 0])
})
