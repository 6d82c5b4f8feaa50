/** What the operations of Punctual's own API have in common: pages, fields, ETags, repeated requests, limits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { openWorld, type Request } from '../_support/worlds/world.js'

const world = await openWorld({ app: { API_REQUESTS_PER_MINUTE: 1_000 } })
const { alice, charlie, clock, store } = world
const ask = (method: string, path: string, request: Request = {}) =>
  world.send(method, NATIVE_PREFIX + path, { key: alice.rw, ...request })
const policy = (name: string) => ({ name, steps: [{ after: 0, channels: 'check' }] })
const policies = async () =>
  (await ask('GET', '/policies?limit=200')).json.items as { id: number; name: string }[]

test('a list is read in pages, each item once, though others are added and removed', async () => {
  for (let count = 0; count < 7; count++) await ask('POST', '/policies', { body: policy(`Page ${count}`) })
  const before = await policies()
  const seen: { id: number }[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { json } = await ask('GET', `/policies?limit=3${cursor && `&cursor=${cursor}`}`)
    assert.ok(json.items.length <= 3)
    seen.push(...json.items)
    cursor = json.next
    const added = await ask('POST', '/policies', { body: policy(`Added ${seen.length}`) })
    assert.equal(added.status, 201)
    if (seen.length === 3) await ask('DELETE', `/policies/${seen[0]!.id}`)
  }
  assert.deepEqual(seen, before)
})

test('a cursor of another list, a changed one, and a wrong limit are refused', async () => {
  const { next } = (await ask('GET', '/policies?limit=1')).json
  assert.equal((await ask('GET', `/policies?cursor=${next}`)).status, 200)
  for (const path of [
    `/silences?cursor=${next}`,
    `/policies?cursor=${next}x`,
    '/policies?cursor=',
    '/policies?limit=0',
  ]) {
    const { status, json } = await ask('GET', path)
    assert.equal(status, 422, path)
    assert.ok(['cursor', 'limit'].includes(json.errors[0].parameter))
  }
})

test('an answer has only the fields that are asked for, also in a list', async () => {
  const { uuid } = await world.check(alice, { name: 'Backup' })
  const one = await ask('GET', `/checks/${uuid}?fields=name,status`)
  assert.deepEqual(one.json, { name: 'Backup', status: 'new' })
  const whole = await ask('GET', `/checks/${uuid}`)
  assert.equal(one.headers.get('etag'), whole.headers.get('etag'))
  const list = await ask('GET', '/policies?fields=id')
  assert.deepEqual(Object.keys(list.json), ['items', 'next'])
  for (const item of list.json.items) assert.deepEqual(Object.keys(item), ['id'])
  const wrong = await ask('GET', `/checks/${uuid}?fields=name,colour`)
  assert.deepEqual(wrong.json.errors, [{ detail: 'not fields of the answer: colour', parameter: 'fields' }])
})

test('an unknown parameter is refused by every operation', async () => {
  const { uuid } = await world.check(alice)
  const { status, json } = await ask('GET', `/checks/${uuid}?feilds=name`)
  assert.equal(status, 422)
  assert.deepEqual(json.errors, [{ detail: 'unknown parameter', parameter: 'feilds' }])
})

test('a change with If-Match is made once; then the resource is another', async () => {
  const { uuid } = await world.check(alice, { name: 'Before' })
  const etag = (await ask('GET', `/checks/${uuid}`)).headers.get('etag')!
  assert.match(etag, /^"[\w-]{27}"$/)
  const rename = (name: string, tag: string) =>
    ask('PATCH', `/checks/${uuid}`, { body: { name }, headers: { 'If-Match': tag } })
  const both = await Promise.all([rename('One', etag), rename('Two', etag)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  const made = both.find(({ status }) => status === 200)!
  const now = await ask('GET', `/checks/${uuid}`)
  assert.deepEqual(now.json, made.json)
  assert.equal(now.headers.get('etag'), made.headers.get('etag'))
  assert.equal((await rename('Three', `W/${made.headers.get('etag')}`)).status, 412)
  assert.equal((await rename('Three', `"x", ${made.headers.get('etag')}`)).status, 200)
  assert.equal((await rename('Four', '*')).status, 200)
})

test('a ping does not change the ETag of a check, but its settings do', async () => {
  const { uuid } = await world.check(alice)
  const etag = async () => (await ask('GET', `/checks/${uuid}`)).headers.get('etag')
  const before = await etag()
  clock.advance(5)
  await world.ping({ uuid })
  assert.equal(await etag(), before)
  await ask('PATCH', `/checks/${uuid}`, { body: { grace: 99 } })
  assert.notEqual(await etag(), before)
})

test('a resource is deleted only if it is as If-Match says', async () => {
  const { id } = (await ask('POST', '/policies', { body: policy('Fleeting') })).json
  const etag = (await ask('GET', `/policies/${id}`)).headers.get('etag')!
  await ask('PATCH', `/policies/${id}`, { body: { name: 'Lasting' } })
  const remove = (tag: string) => ask('DELETE', `/policies/${id}`, { headers: { 'If-Match': tag } })
  assert.equal((await remove(etag)).status, 412)
  const { headers } = await ask('GET', `/policies/${id}`)
  assert.equal((await remove(headers.get('etag')!)).status, 200)
  assert.equal((await remove('*')).status, 404)
})

const repeated = (key: string, body: object, more: Request = {}) =>
  ask('POST', '/policies', { body, headers: { 'Idempotency-Key': key }, ...more })

test('a POST that is sent again with its key has the same answer, and nothing is made twice', async () => {
  const first = await repeated('a', policy('Repeated'))
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const second = await repeated('a', policy('Repeated'))
  assert.deepEqual([second.status, second.text], [first.status, first.text])
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await policies()).filter(({ name }) => name === 'Repeated').length, 1)
  const rows = await world.raw('SELECT answer FROM api_requests')
  assert.ok(!JSON.stringify(rows).includes('Repeated'))
})

test('a key belongs to one request and one caller', async () => {
  assert.equal((await repeated('b', policy('First'))).status, 201)
  const other = await repeated('b', policy('Second'))
  assert.equal(other.status, 422)
  assert.deepEqual(other.json.errors, [
    { detail: 'it was used for another request', parameter: 'Idempotency-Key' },
  ])
  assert.equal((await repeated('b', policy('First'), { key: charlie.rw })).status, 201)
  assert.equal((await repeated('ü', policy('Third'))).status, 422)
})

test('a request that was refused may be sent again with its key', async () => {
  const wrong = await repeated('c', { name: '' })
  assert.equal(wrong.status, 422)
  assert.equal((await repeated('c', policy('Corrected'))).status, 201)
})

test('the same request at the same moment is carried out once', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => repeated('d', policy('At once'))))
  for (const { status } of all) assert.ok([201, 409].includes(status))
  assert.equal((await policies()).filter(({ name }) => name === 'At once').length, 1)
  assert.equal((await repeated('d', policy('At once'))).status, 201)
})

test('a request that was interrupted may be sent again after a minute, and a day frees its key', async () => {
  assert.equal((await repeated('e', policy('Interrupted'))).status, 201)
  await world.raw(`UPDATE api_requests SET answer = NULL WHERE key = 'e'`)
  await world.raw(`DELETE FROM policies WHERE name = 'Interrupted'`)
  assert.equal((await repeated('e', policy('Interrupted'))).status, 409)
  clock.advance(61)
  assert.equal((await repeated('e', policy('Interrupted'))).status, 201)
  clock.advance(86_400)
  assert.equal((await repeated('e', policy('Another'))).status, 201)
})

test('answers say what is left of the limit, and a caller over it waits', async () => {
  const { token } = await world.token({ projectId: alice.projectId, role: 'member' })
  const get = () => ask('GET', '/policies?limit=1', { key: token })
  const first = await get()
  assert.equal(first.headers.get('ratelimit-policy'), '"token";q=1000;w=60')
  assert.equal(first.headers.get('ratelimit'), '"token";r=999;t=1')
  assert.equal(first.headers.get('retry-after'), null)
  for (let sent = 1; sent < 1_000; sent += 37) {
    await Promise.all(Array.from({ length: Math.min(37, 1_000 - sent) }, get))
  }
  const over = await get()
  assert.equal(over.status, 429)
  assert.equal(over.headers.get('content-type'), 'application/problem+json')
  assert.equal(over.headers.get('ratelimit'), '"token";r=0;t=60')
  assert.equal(over.headers.get('retry-after'), '1')
  assert.equal((await ask('GET', '/policies')).status, 200, 'others are not concerned')
  clock.advance(1)
  assert.equal((await get()).status, 200)
})

test('the last use of a token is written at most once an hour', async () => {
  const { token, uuid } = await world.token({ projectId: alice.projectId, role: 'member' })
  const used = async () => {
    assert.equal((await ask('GET', '/policies', { key: token })).status, 200)
    const tokens = await store.projects.listApiTokens({ projectId: alice.projectId })
    return tokens.find(one => one.uuid === uuid)!.usedAt
  }
  const first = clock.now()
  assert.equal(await used(), first)
  clock.advance(1_800)
  assert.equal(await used(), first)
  clock.advance(1_800)
  assert.equal(await used(), clock.now())
})

test('a token that is revoked is refused within a second', async () => {
  const { token, uuid } = await world.token({ projectId: alice.projectId, role: 'member' })
  assert.equal((await ask('GET', '/policies', { key: token })).status, 200)
  assert.equal(
    await store.projects.revokeApiToken({ projectId: charlie.projectId }, uuid, clock.now()),
    false,
  )
  assert.equal(await store.projects.revokeApiToken({ projectId: alice.projectId }, uuid, clock.now()), true)
  clock.advance(1)
  assert.equal((await ask('GET', '/policies', { key: token })).status, 401)
})

test('what a token does is recorded under its name, or that of its person', async () => {
  const { token } = await world.token({ projectId: alice.projectId, role: 'member' })
  const until = new Date(clock.now() + 60_000).toISOString()
  const body = { scope: { project: true }, when: { to: until } }
  const { json } = await ask('POST', '/silences', { key: token, body })
  assert.equal(json.created_by, 'API token Test')
})
