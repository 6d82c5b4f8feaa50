import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const check = await world.check(alice)
const began = world.clock.now() / 1000
// up at 0 s, down at 100 s, paused at 200 s, new, up at 300 s
for (const suffix of ['', '/fail']) {
  await world.ping(check, suffix)
  world.clock.advance(100)
}
await world.post(`/api/v3/checks/${check.uuid}/pause`, alice.rw)
await world.post(`/api/v3/checks/${check.uuid}/resume`, alice.rw)
world.clock.advance(100)
await world.ping(check)
world.clock.advance(100)

const list = (query = '', key = alice.rw, version = 3) =>
  world.get(`/api/v${version}/checks/${check.uuid}/flips/${query}`, key)
/** The seconds after the beginning at which the listed changes lie. */
async function at(query: string) {
  const { status, json } = await list(query)
  assert.equal(status, 200, query)
  return json.map((flip: { timestamp: string }) => Date.parse(flip.timestamp) / 1000 - began)
}

test('changes to up and down are listed newest first; those into paused and new are not', async () => {
  const { status, text, headers } = await list()
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.equal(
    text,
    '[{"timestamp": "2026-01-05T12:05:00+00:00", "up": 1}, ' +
      '{"timestamp": "2026-01-05T12:01:40+00:00", "up": 0}, ' +
      '{"timestamp": "2026-01-05T12:00:00+00:00", "up": 1}]',
  )
})

test('versions 1 and 2 wrap the list', async () => {
  const bare = (await list()).text
  for (const version of [1, 2]) assert.equal((await list('', alice.rw, version)).text, `{"flips": ${bare}}`)
})

test('a setting wraps the list of version 3 as well', async () => {
  const wrapping = await openWorld({ app: { WRAP_FLIPS: true } })
  const { uuid } = await wrapping.check(wrapping.alice)
  const { text } = await wrapping.get(`/api/v3/checks/${uuid}/flips/`, wrapping.alice.rw)
  assert.equal(text, '{"flips": []}')
})

test('a project can wrap the list of version 3 or not, whatever the installation does', async () => {
  for (const WRAP_FLIPS of [true, false]) {
    const installation = await openWorld({ app: { WRAP_FLIPS } })
    const { alice, charlie, store } = installation
    const flipsOf = async (owner: typeof alice) => {
      const { uuid } = await installation.check(owner)
      return (await installation.get(`/api/v3/checks/${uuid}/flips/`, owner.rw)).text
    }
    await store.checks.setWrapFlips(alice.projectId, true, 1)
    assert.equal(await flipsOf(alice), '{"flips": []}')
    await store.checks.setWrapFlips(alice.projectId, false, 1)
    assert.equal(await flipsOf(alice), '[]')
    await store.checks.setWrapFlips(alice.projectId, null, 1)
    assert.equal(await flipsOf(alice), WRAP_FLIPS ? '{"flips": []}' : '[]')
    assert.equal(await flipsOf(charlie), WRAP_FLIPS ? '{"flips": []}' : '[]')
  }
})

test('a read-only key lists flips, by unique key as well', async () => {
  assert.equal((await list('', alice.ro)).status, 200)
  const { unique_key } = (await world.get(`/api/v3/checks/${check.uuid}`, alice.ro)).json
  const { json } = await world.get(`/api/v3/checks/${unique_key}/flips/?seconds=150`, alice.ro)
  assert.equal(json.length, 1)
})

test('start includes its instant, end excludes it, seconds counts back from now', async () => {
  assert.deepEqual(await at(`?start=${began + 100}`), [300, 100])
  assert.deepEqual(await at(`?start=${began + 101}`), [300])
  assert.deepEqual(await at(`?end=${began + 100}`), [0])
  assert.deepEqual(await at(`?end=${began + 101}`), [100, 0])
  assert.deepEqual(await at('?seconds=300'), [300, 100])
  assert.deepEqual(await at('?seconds=299'), [300])
})

test('filters combine; seconds of 0 or nothing is no filter', async () => {
  assert.deepEqual(await at(`?start=${began}&end=${began + 300}&seconds=350`), [100])
  assert.deepEqual(await at('?seconds=0'), [300, 100, 0])
  assert.deepEqual(await at('?seconds='), [300, 100, 0])
  assert.deepEqual(await at('?start=0&end=10000000000&other=x'), [300, 100, 0])
  assert.deepEqual(await at(`?start=%20${began + 300}%20`), [300])
  assert.deepEqual(await at(`?start=x&start=${began + 300}`), [300])
})

for (const query of [
  'start=',
  'end=',
  'start=1.5',
  'start=-1',
  'end=abc',
  'start=10000000001',
  'seconds=31536001',
  'seconds=-1',
  'seconds=1e3',
  'seconds=x',
]) {
  test(`the query ${query} is refused`, async () => {
    const { status, json } = await list(`?${query}`)
    assert.equal(status, 400)
    assert.match(json.error, new RegExp(`^${query.split('=')[0]} is not a whole number`))
  })
}

test('an unknown check is 404 and another project’s 403, whatever the query says', async () => {
  const flips = (ref: string, query: string, key = alice.rw) =>
    world.get(`/api/v3/checks/${ref}/flips/${query}`, key)
  for (const query of ['', '?start=x']) {
    assert.equal((await flips('00000000-0000-4000-8000-000000000000', query)).status, 404)
    assert.equal((await flips('f'.repeat(40), query)).status, 404)
    assert.equal((await flips(check.uuid, query, charlie.rw)).status, 403)
  }
  assert.equal((await flips(check.uuid, '?start=x', 'x'.repeat(32))).status, 401)
})
