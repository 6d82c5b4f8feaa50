/** Uptime Kuma: pushes to /api/push/TOKEN become pings. See docs/coming-from-uptime-kuma.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
await store.projects.setProtocols(alice.projectId, ['uptime-kuma'], clock.now())
const { uuid } = await world.check(alice, { slug: 'nightly' })
const TOKEN = 'gDm0tqGqpVZSmKXPyYxfTCn3tzDAyBkq'
await store.projects.setPushTokens(alice.projectId, uuid, [TOKEN], clock.now())

const push = (token: string, query = '', method = 'GET', body?: unknown) =>
  world.send(method, `/api/push/${token}${query}`, body === undefined ? {} : { body })

const pings = async () => (await world.get(`/api/v3/checks/${uuid}/pings/`, alice.rw)).json.pings
const countOf = async (key = alice.rw, check = uuid) =>
  (await world.get(`/api/v3/checks/${check}`, key)).json.n_pings

test('a push with an imported token is a success, and down is a failure', async () => {
  for (const query of ['', '?status=up&msg=OK&ping=', '?status=down&msg=disk%20full&ping=1234.4']) {
    const answer = await push(TOKEN, query)
    assert.deepEqual([answer.status, answer.text], [200, '{"ok":true}'])
    assert.match(answer.headers.get('content-type')!, /^application\/json/)
  }
  const [fail, up, bare] = await pings()
  assert.deepEqual([fail.type, up.type, bare.type], ['fail', 'success', 'success'])
  const body = await world.get(`/api/v3/checks/${uuid}/pings/${fail.n}/body`, alice.rw)
  assert.equal(body.text, 'disk full')
  const [row] = await world.raw(`SELECT duration FROM pings WHERE n = ${fail.n}`)
  assert.equal(Number(row!.duration), 1234)
})

test('the UUID of a check is a token, and POST and HEAD push too', async () => {
  const before = await countOf()
  for (const method of ['GET', 'POST', 'HEAD']) assert.equal((await push(uuid, '', method)).status, 200)
  assert.equal((await push(TOKEN, '/?status=up', 'POST', { status: 'down' })).status, 200)
  assert.equal(await countOf(), before + 4)
})

test('an unknown token, and a project that does not accept pushes, get the same answer', async () => {
  const hidden = await world.check(charlie, { slug: 'hidden' })
  await store.projects.setPushTokens(charlie.projectId, hidden.uuid, ['of-charlie'], clock.now())
  const expected = [404, { ok: false, msg: 'Monitor not found or not active.' }]
  for (const token of [
    'nobody-has-it',
    'of-charlie',
    hidden.uuid,
    crypto.randomUUID(),
    '',
    'a%00b',
    '%ff',
    'é',
  ]) {
    const { status, json } = await push(token)
    assert.deepEqual([status, json], expected, token)
  }
  assert.equal(await countOf(charlie.rw, hidden.uuid), 0)
})

test('a token belongs to one check, and to nobody else’s', async () => {
  const other = await world.check(alice, { slug: 'other' })
  const set = (project: number, check: string, tokens: string[]) =>
    store.projects.setPushTokens(project, check, tokens, clock.now())
  await assert.rejects(set(alice.projectId, other.uuid, ['new-token', TOKEN]), { code: 'conflict' })
  assert.deepEqual(await store.projects.pushTokens(alice.projectId, other.uuid), [])
  await assert.rejects(set(charlie.projectId, other.uuid, ['new-token']), { code: 'forbidden' })
  await assert.rejects(store.projects.pushTokens(charlie.projectId, other.uuid), { code: 'forbidden' })
  for (const bad of ['short', 'with space', 'x'.repeat(101), other.uuid]) {
    await assert.rejects(set(alice.projectId, other.uuid, [bad]), { code: 'invalid' })
  }
  await set(alice.projectId, other.uuid, ['new-token', 'new-token'])
  await set(alice.projectId, other.uuid, ['new-token'])
  const events = await world.raw(
    `SELECT after FROM events WHERE object_id = '${other.uuid}' AND type = 'check.updated'`,
  )
  assert.equal(events.length, 1)
  assert.doesNotMatch(JSON.stringify(events), /new-token/)
  await set(alice.projectId, other.uuid, [])
  assert.equal((await push('new-token')).status, 404)
})

test('a token goes with its check', async () => {
  const gone = await world.check(alice, { slug: 'gone' })
  await store.projects.setPushTokens(alice.projectId, gone.uuid, ['goes-too'], clock.now())
  await world.send('DELETE', `/api/v3/checks/${gone.uuid}`, { key: alice.rw })
  assert.equal((await push('goes-too')).status, 404)
  assert.deepEqual(await world.raw(`SELECT * FROM push_tokens WHERE token = 'goes-too'`), [])
})

const RUBBISH: [string, number, () => ReturnType<typeof push>][] = [
  ['a ping that is no number', 400, () => push(TOKEN, '?ping=fast')],
  ['a negative ping', 400, () => push(TOKEN, '?ping=-1')],
  ['a ping of more than a day', 400, () => push(TOKEN, '?ping=86400001')],
  ['an endless ping', 400, () => push(TOKEN, '?ping=Infinity')],
  ['a repeated status', 400, () => push(TOKEN, '?status=up&status=down')],
  ['a list of messages', 400, () => push(TOKEN, '?msg[]=a&msg[]=b')],
  ['a huge body', 400, () => push(TOKEN, '', 'POST', 'x'.repeat(70_000))],
  ['DELETE', 405, () => push(TOKEN, '', 'DELETE')],
]

for (const [what, status, send] of RUBBISH) {
  test(`${what} is refused with ${status}, and nothing is recorded`, async () => {
    const before = await countOf()
    const answer = await send()
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.json.ok, false)
    assert.equal(await countOf(), before)
  })
}

test('a message of bad UTF-8, of NULs or too long is recorded, cut to the limit of bodies', async () => {
  const before = await countOf()
  for (const msg of ['%ff%fe', '%00', 'x'.repeat(12_000)]) {
    assert.equal((await push(TOKEN, `?msg=${msg}`)).status, 200)
  }
  assert.equal(await countOf(), before + 3)
  const [newest] = await pings()
  const body = await world.get(`/api/v3/checks/${uuid}/pings/${newest.n}/body`, alice.rw)
  assert.equal(body.text.length, world.config.PING_BODY_LIMIT)
})
