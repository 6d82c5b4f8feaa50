import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitReceiver } from '../../../src/actions/alerts/limit-receiver.js'
import type { Integration } from '../../../src/integrations/integration.js'
import { email } from '../../../src/integrations/kinds/email.js'
import { FakeClock } from '../../_support/clock.js'
import { openTestStore } from '../../_support/worlds/store.js'

const limited: Integration = {
  ...email,
  kind: 'limited',
  limit: { perMinute: 6, key: ({ value = '' }) => value },
}

test('a receiver’s rate limit covers all its channels; then messages follow one at a time', async t => {
  const deps = { store: await openTestStore(t), clock: new FakeClock() }
  const wait = (value: string) => limitReceiver(deps, limited, { value })
  for (let message = 1; message <= 6; message++) assert.equal(await wait('alice'), 0)
  const ms = await wait('alice')
  assert.ok(ms > 0 && ms <= 10_000, String(ms))
  assert.equal(await wait('bob'), 0, 'another receiver is another matter')
  deps.clock.advance(ms / 1000)
  assert.equal(await wait('alice'), 0)
  assert.ok((await wait('alice')) > 0)
})

test('a kind without a rate limit never waits', async t => {
  const deps = { store: await openTestStore(t), clock: new FakeClock() }
  for (let message = 0; message < 50; message++) assert.equal(await limitReceiver(deps, email, {}), 0)
})
