/** A page of the API may have a thousand items, and is written in turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageJson } from '../../src/http/native/serve/page.js'
import { holdUp, turnsDuring } from '../_support/turns-during.js'

test('other work goes on while a long page is written', async () => {
  const shapeOf = (n: number) => {
    // Longer than a turn may take.
    holdUp(15)
    return { n }
  }
  const call = { query: new URLSearchParams(), operation: 'listPings' }
  const { result, turns } = await turnsDuring(() => pageJson(call, [1, 2, 3], shapeOf, null))
  assert.equal(result, '{"items": [{"n": 1}, {"n": 2}, {"n": 3}], "next": null}')
  assert.ok(turns >= 2, `${turns} turns`)
})
