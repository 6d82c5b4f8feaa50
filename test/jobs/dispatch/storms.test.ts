import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Storms } from '../../../src/jobs/dispatch/storms.js'

test('a storm lasts until its project has no more checks to declare down', () => {
  const storms = new Storms({ now: () => 0 })
  assert.equal(storms.hear([1, 2]), false)
  assert.deepEqual(
    [1, 2, 3].map(id => storms.isGoingOn(id)),
    [true, true, false],
  )
  assert.equal(storms.hear([2]), true, 'that of the first is over')
  assert.deepEqual(
    [1, 2, 3].map(id => storms.isGoingOn(id)),
    [false, true, false],
  )
})

test('no message waits more than ten seconds for a storm, or for one without news', () => {
  let now = 0
  const storms = new Storms({ now: () => now })
  storms.hear([1])
  now = 5_000
  assert.equal(storms.isGoingOn(1), false, 'it was not heard of for five seconds')
  storms.hear([1])
  assert.equal(storms.isGoingOn(1), true)
  now = 9_999
  storms.hear([1])
  assert.equal(storms.isGoingOn(1), true)
  now = 10_000
  assert.equal(storms.isGoingOn(1), false)
})
