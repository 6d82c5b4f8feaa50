import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld({ app: { METRICS_KEY: 'open sesame' } })
const { alice } = world
const metrics = (key: string) => world.send('GET', '/api/v3/metrics/', { headers: { 'X-Metrics-Key': key } })

test('the counters of an empty instance are null and 0', async () => {
  const { status, text } = await metrics('open sesame')
  assert.equal(status, 200)
  const ts = world.clock.now() / 1000
  assert.equal(
    text,
    `{"ts": ${ts}, "max_ping_id": null, "max_notification_id": null, "num_unprocessed_flips": 0}`,
  )
})

test('a flip counts as unprocessed until it is told', async () => {
  const { projectId } = alice
  const now = world.clock.now()
  for (let n = 0; n < 2; n++) {
    await world.store.channels.create({
      projectId,
      name: '',
      kind: 'webhook',
      settings: {},
      members: [],
      now,
    })
  }
  const check = await world.check(alice, { channels: '*' })
  await world.ping(check, '/fail')
  const { max_ping_id, num_unprocessed_flips } = (await metrics('open sesame')).json
  assert.deepEqual([max_ping_id, num_unprocessed_flips], [1, 1])
})

test('a wrong key, no key and an API key are forbidden', async () => {
  for (const key of ['', 'open', alice.rw]) assert.equal((await metrics(key)).status, 403)
  assert.equal((await world.get('/api/v3/metrics/')).status, 403)
})

test('without METRICS_KEY nobody sees the counters', async () => {
  const closed = await openWorld()
  const { status } = await closed.send('GET', '/api/v3/metrics/', { headers: { 'X-Metrics-Key': '' } })
  assert.equal(status, 403)
})
