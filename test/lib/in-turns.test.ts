import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inTurns, mapped } from '../../src/lib/in-turns.js'
import { holdUp, turnsDuring } from '../_support/turns-during.js'

test('a long computation lets other work go on between its steps', async () => {
  // Each step takes longer than a turn may.
  const steps = mapped([1, 2, 3, 4], number => {
    holdUp(15)
    return number
  })
  const { result, turns } = await turnsDuring(() => inTurns(steps))
  assert.deepEqual(result, [1, 2, 3, 4])
  assert.ok(turns >= 3, `${turns} turns`)
})

test('only one computation runs in each turn of the event loop', async () => {
  let ran = 0
  let most = 0
  const step = () => {
    holdUp(15)
    ran++
  }
  const one = () => inTurns(mapped([1, 2, 3], step))
  let isOver = false
  const watch = async () => {
    for (; !isOver; ran = 0) {
      await turn()
      most = Math.max(most, ran)
    }
  }
  const all = [one(), one(), one(), one(), one()]
  // All have begun.
  ran = 0
  const watched = watch()
  await Promise.all(all)
  isOver = true
  await watched
  assert.equal(most, 1)
})

test('a short computation does not wait for a turn', async () => {
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  assert.deepEqual(await inTurns(mapped([], () => 0)), [])
  assert.equal(hasTurned, false)
})

test('an error of a computation is that of its result', async () => {
  const fails = () => {
    throw new Error('no')
  }
  await assert.rejects(inTurns(mapped([1], fails)), /no/)
})
