import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArrivedPing } from '../../src/storage/pings.js'
import { openTestStore } from '../_support/store.js'

const ping = (target: ArrivedPing['target'], arrivedAt = 1_000_000): ArrivedPing => ({
  target,
  arrivedAt,
  arrivedUs: 0,
  action: 'success',
  exitStatus: null,
  rid: null,
  invalid: null,
  scheme: 'http',
  remoteAddr: null,
  method: 'GET',
  ua: '',
  body: null,
})

test('two first pings with create=1 in one batch make one check', async t => {
  const store = await openTestStore(t)
  await store.createProject({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const target = { pingKey: 'key', slug: 'backup', create: true }
  const { outcomes } = await store.recordPings([ping(target), ping({ ...target })])
  assert.deepEqual(outcomes, ['created', 'ok'])
  const again = await store.recordPings([ping(target)])
  assert.deepEqual(again.outcomes, ['ok'])
})
