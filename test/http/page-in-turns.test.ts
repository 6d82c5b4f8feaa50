/** A page of the API may have a thousand items, and is written in turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pageJson } from '../../src/http/native/serve/page.js'

test('other work goes on while a long page is written', async () => {
  let turns = 0
  let isOver = false
  const count = async () => {
    for (; !isOver; turns++) await turn()
  }
  const counted = count()
  const shapeOf = (n: number) => {
    // Longer than a turn may take.
    for (const until = performance.now() + 15; performance.now() < until; );
    return { n }
  }
  const call = { query: new URLSearchParams(), operation: 'listPings' }
  const page = await pageJson(call, [1, 2, 3], shapeOf, null)
  isOver = true
  await counted
  assert.equal(page, '{"items": [{"n": 1}, {"n": 2}, {"n": 3}], "next": null}')
  assert.ok(turns >= 2, `${turns} turns`)
})
