/** The store as both engines offer it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Refusal } from '../../src/core/errors.js'
import { methods } from '../../src/storage/nouns.js'
import { openTestStore } from '../_support/worlds/store.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'

test('an engine has every method that a noun defines', async t => {
  const { changes: _, backup: __, close: ___, ...nouns } = await openTestStore(t)
  const bound = Object.entries(nouns).flatMap(([noun, ofNoun]) =>
    Object.keys(ofNoun).map(name => `${noun}.${name}`),
  )
  assert.ok(bound.includes('checks.pause'))
  assert.deepEqual(bound.sort(), [...methods.keys()].sort())
})

test('the store announces its writes, but not refused ones', async t => {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const announced: string[] = []
  const take = () => announced.splice(0).sort()
  for (const event of ['deadline', 'deliveries', 'checks'] as const) {
    store.changes.on(event, () => announced.push(event))
  }
  await scene.addChannel('A')
  assert.deepEqual(take(), [])
  await scene.ping('backup', 'success')
  assert.deepEqual(take(), ['checks', 'deadline'])
  await scene.ping('backup', 'fail')
  assert.deepEqual(take(), ['checks', 'deliveries'])
  const [uuid] = await scene.checkUuids()
  await store.checks.tag(projectId, [uuid!], { add: ['nightly'], remove: [], now: 1 })
  assert.deepEqual(take(), ['checks'])
  await assert.rejects(store.checks.pause(projectId, randomUUID(), scene.now), Refusal)
  assert.deepEqual(take(), [])
})

test('the store announces checks that go down, and deliveries that are due earlier', async t => {
  const scene = await StoreHarness.open(t)
  const { store } = scene
  const announced: string[] = []
  const take = () => announced.splice(0).sort()
  const channel = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'success')
  for (const event of ['deadline', 'deliveries', 'goingDown', 'checks'] as const) {
    store.changes.on(event, () => announced.push(event))
  }
  await store.alerts.declareDown(scene.now, 10)
  assert.deepEqual(take(), ['goingDown'])
  scene.now += 90_000_000
  await store.alerts.declareDown(scene.now, 10)
  assert.deepEqual(take(), ['checks', 'deliveries', 'goingDown'])

  const [message] = await scene.claim()
  assert.deepEqual(take(), [])
  await scene.settle(message!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
  assert.deepEqual(take(), [])
  const passed = { status: 'down' as const, error: '', startedAt: scene.now, durationMs: 5 }
  await store.channels.noteTest({ channelId: message!.channel.id, uuid: randomUUID(), ...passed })
  assert.deepEqual(take(), ['deliveries'])
  await store.channels.noteTest({ channelId: channel.id, uuid: randomUUID(), ...passed, error: 'away' })
  assert.deepEqual(take(), [])
})
