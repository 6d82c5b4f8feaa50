/** On which checks a check depends, in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const path = (uuid: string) => `/api/punctual/v1/checks/${uuid}`
const patch = (uuid: string, body: unknown, key = alice.rw) => world.send('PATCH', path(uuid), { key, body })

test('a check is made to depend on others, and on none again', async () => {
  const [router, backup] = [await world.check(alice), await world.check(alice)]
  const before = (await world.get(path(backup.uuid), alice.rw)).json
  assert.deepEqual([before.depends_on, before.depends_wait], [[], 300])
  const changed = await patch(backup.uuid, { depends_on: [router.uuid], depends_wait: 0 })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.json, { ...before, depends_on: [router.uuid], depends_wait: 0 })
  const kept = await patch(backup.uuid, { name: 'Backup' })
  assert.deepEqual(kept.json.depends_on, [router.uuid])
  const none = await patch(backup.uuid, { depends_on: [] })
  assert.deepEqual(none.json.depends_on, [])
})

test('a read-only key sees the checks that a check depends on by their unique keys', async () => {
  const [router, backup] = [await world.check(alice), await world.check(alice)]
  await patch(backup.uuid, { depends_on: [router.uuid] })
  const shown = await world.get(path(backup.uuid), alice.ro)
  const { unique_key } = (await world.get(path(router.uuid), alice.ro)).json
  assert.deepEqual(shown.json.depends_on, [unique_key])
  assert.doesNotMatch(shown.text, new RegExp(router.uuid))
})

test('a circle is refused with the way through it', async () => {
  const [router, backup] = [await world.check(alice, { name: 'Router' }), await world.check(alice)]
  await patch(backup.uuid, { depends_on: [router.uuid], name: 'Switch' })
  const refused = await patch(router.uuid, { depends_on: [backup.uuid], grace: 60 })
  assert.equal(refused.status, 422)
  // Nothing of the request was done, so its own new name is not in the error either.
  const detail = 'depends_on: Router > Switch > Router'
  assert.deepEqual(refused.json.errors, [{ detail, pointer: '/depends_on' }])
  const kept = (await world.get(path(router.uuid), alice.rw)).json
  assert.deepEqual([kept.depends_on, kept.grace], [[], 3_600])
})

test('checks of others, what is no check, and too many are refused', async () => {
  const [backup, foreign] = [await world.check(alice), await world.check(charlie)]
  const refused = await patch(backup.uuid, { depends_on: [foreign.uuid] })
  assert.equal(refused.status, 422)
  const detail = `depends_on: no such check in the project: ${foreign.uuid}`
  assert.deepEqual(refused.json.errors, [{ detail, pointer: '/depends_on' }])
  for (const depends_on of [['router'], 'router', Array(11).fill(backup.uuid)]) {
    const wrong = await patch(backup.uuid, { depends_on })
    assert.equal(wrong.status, 422, wrong.text)
    assert.match(wrong.json.errors[0].pointer, /^\/depends_on/)
  }
  for (const depends_wait of [-1, 3601])
    assert.equal((await patch(backup.uuid, { depends_wait })).status, 422)
  assert.equal((await patch(backup.uuid, { depends_on: [] }, charlie.rw)).status, 404)
  assert.equal((await patch(backup.uuid, { depends_on: [] }, alice.ro)).status, 403)
})

test('the old versions of the API show nothing of dependencies', async () => {
  const [router, backup] = [await world.check(alice), await world.check(alice)]
  await patch(backup.uuid, { depends_on: [router.uuid] })
  const { json } = await world.get(`/api/v3/checks/${backup.uuid}`, alice.rw)
  assert.deepEqual(Object.keys(json), Object.keys(router))
})
