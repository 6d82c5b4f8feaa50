/** Pings, flips, badges and tags in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock } = world
const API = '/api/punctual/v1'
const RID = '10000000-0000-4000-8000-000000000000'

const check = await world.check(alice, { name: 'Job', tags: 'a b' })
const times: string[] = []
for (const suffix of [`/start?rid=${RID}`, `/3?rid=${RID}`, '/log', '', '/fail']) {
  times.push(new Date(clock.now()).toISOString())
  const body = suffix.startsWith('/3') ? { method: 'POST', body: 'no space left' } : {}
  await world.ping(check, suffix, body)
  clock.advance(30)
}
const path = `${API}/checks/${check.uuid}`
const get = async (rest: string, key = alice.rw) => await world.get(path + rest, key)
const numbers = ({ items }: { items: { n: number }[] }) => items.map(({ n }) => n)

test('pings are listed newest first, in pages', async () => {
  const first = (await get('/pings?limit=2')).json
  const second = (await get(`/pings?limit=2&cursor=${first.next}`)).json
  const third = (await get(`/pings?limit=2&cursor=${second.next}`)).json
  assert.deepEqual([first, second, third].map(numbers), [[5, 4], [3, 2], [1]])
  assert.equal(third.next, null)
  const { exit_status, duration, run_id, kind, body_size } = second.items[1]
  assert.deepEqual([kind, exit_status, duration, run_id, body_size], ['fail', 3, 30, RID, 13])
})

test('pings are filtered by kind and time, and a run keeps its duration', async () => {
  const cases: Record<string, number[]> = {
    '?kind=fail': [5, 2],
    '?kind=start,log': [3, 1],
    [`?from=${times[1]}&to=${times[3]}`]: [3, 2],
    '?kind=ign': [],
  }
  for (const [query, found] of Object.entries(cases)) {
    assert.deepEqual(numbers((await get(`/pings${query}`)).json), found, query)
  }
  assert.equal((await get('/pings?kind=fail')).json.items[1].duration, 30)
  for (const query of ['?kind=other', '?from=yesterday', '?limit=1001']) {
    assert.equal((await get(`/pings${query}`)).status, 422, query)
  }
})

test('pings are found by a text in their bodies', async () => {
  for (const [query, found] of Object.entries({
    '?text=No%20Space': [2],
    '?text=space&kind=fail,log': [2],
    '?text=space&kind=log': [],
    '?text=nothing': [],
  }))
    assert.deepEqual(numbers((await get(`/pings${query}`)).json), found, query)
  const { items } = (await get('/pings')).json
  const excerpt = { line: 1, before: 'no ', found: 'space', after: ' left' }
  assert.deepEqual((await get('/pings?text=space')).json, { items: [{ ...items[3], excerpt }], next: null })
  assert.equal((await get('/pings?text=')).status, 422)
  assert.equal((await get('/pings?text=space', charlie.rw)).status, 404)
  assert.equal((await get('/pings?text=space', alice.ro)).status, 403)
})

test('one ping is shown as in the list, and its body as it was sent', async () => {
  const { items } = (await get('/pings')).json
  assert.deepEqual((await get('/pings/2')).json, items[3])
  const body = await get('/pings/2/body')
  assert.deepEqual(
    [body.status, body.text, body.headers.get('content-type')],
    [200, 'no space left', 'text/plain'],
  )
  for (const n of ['1/body', '6', '0', '99999999999']) assert.equal((await get(`/pings/${n}`)).status, 404, n)
  for (const rest of ['/pings', '/pings/2', '/pings/2/body']) {
    assert.equal((await get(rest, charlie.rw)).status, 404, rest)
    assert.equal((await get(rest, alice.ro)).status, 403, rest)
  }
})

test('who only reads sees pings by the unique key, with a token', async () => {
  const { token } = await world.token({ projectId: alice.projectId, role: 'readonly' as never })
  const { unique_key } = (await get('', alice.ro)).json
  for (const rest of ['/pings', '/pings/2', '/pings/2/body']) {
    const reply = await world.get(`${API}/checks/${unique_key}${rest}`, token)
    assert.equal(reply.status, 200, reply.text)
    assert.ok(!reply.text.includes(check.uuid))
  }
})

test('flips are listed newest first, in pages and between two instants', async () => {
  const { items } = (await get('/flips')).json
  const shown = items.map(({ before, status }: { before: string; status: string }) => `${before} ${status}`)
  assert.deepEqual(shown, ['up down', 'down up', 'new down'])
  assert.equal(items[2].at, times[1]!.replace('.000Z', '+00:00'))
  const first = (await get('/flips?limit=2')).json
  const second = (await get(`/flips?limit=2&cursor=${first.next}`)).json
  assert.deepEqual([...first.items, ...second.items], items)
  assert.equal(second.next, null)
  assert.deepEqual((await get(`/flips?from=${times[3]}&to=${times[4]}`)).json.items, [items[1]])
})

test('badges and tags are those of the old API and of the list', async () => {
  const old = (await world.get('/api/v3/badges/', alice.ro)).json.badges
  const { items } = (await world.get(`${API}/badges`, alice.ro)).json
  assert.deepEqual(
    items.map(({ tag }: { tag: string | null }) => tag),
    [null, 'a', 'b'],
  )
  assert.deepEqual(items[1], { tag: 'a', ...old.a })
  assert.deepEqual(items[0], { tag: null, ...old['*'] })
  const own = (await get('/badges')).json
  assert.equal(own.svg, (await get('')).json.badge_url)
  assert.equal((await world.get(own.json3.replace(/^.*?(?=\/b\/)/, ''))).json.status, 'down')
  const tags = (await world.get(`${API}/tags?limit=1`, alice.ro)).json
  assert.deepEqual(tags.items, [{ tag: 'a', checks: 1, down: 1, late: 0 }])
  const rest = (await world.get(`${API}/tags?limit=1&cursor=${tags.next}`, alice.ro)).json
  assert.deepEqual([rest.items[0].tag, rest.next], ['b', null])
})
