import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inTurns, mapped } from '../../src/lib/in-turns.js'

test('a long computation lets other work go on between its steps', async () => {
  let turns = 0
  let isOver = false
  const count = async () => {
    for (; !isOver; turns++) await turn()
  }
  const counted = count()
  // Each step takes longer than a turn may.
  const steps = mapped([1, 2, 3, 4], number => {
    wait(15)
    return number
  })
  assert.deepEqual(await inTurns(steps), [1, 2, 3, 4])
  isOver = true
  await counted
  assert.ok(turns >= 3, `${turns} turns`)
})

test('only one computation runs in each turn of the event loop', async () => {
  let ran = 0
  let most = 0
  const step = () => {
    wait(15)
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

function wait(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
