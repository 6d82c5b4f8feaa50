import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrations } from '../../../src/integrations/index.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

test('developers see the messages of every kind side by side, with nothing from the database', async () => {
  const world = await openWebWorld({ app: { DEBUG: true } })
  await world.addCheck('Real secret')
  const { status, text } = await world.stranger().get('/dev/messages/')
  assert.equal(status, 200)
  for (const { kind, label } of integrations) {
    assert.equal(text.includes(`<h2>${label}</h2>`), kind !== 'group', label)
  }
  for (const situation of ['down-late', 'down-failed', 'up', 'test', 'notice-many']) {
    assert.ok(text.includes(`<h3>${situation}</h3>`), situation)
  }
  assert.match(text, /11:59 in Europe\/Zurich/, 'when a ping was expected')
  assert.match(text, /59 11 \* \* \*/, 'as its schedule says')
  assert.doesNotMatch(text, /Real secret|undefined|NaN|\[object/)
})

test('without DEBUG there is no page with messages', async () => {
  const plain = await openWebWorld()
  assert.equal((await plain.alice.get('/dev/messages/')).status, 404)
})
