/** The log of changes in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, charlie, clock, store } = world
const PREFIX = '/api/punctual/v1'
const hers = await world.account('Hers', alice.id)
await store.projects.putMember({
  projectId: hers.projectId,
  userId: bob.id,
  role: 'member',
  now: clock.now(),
})

const log = async (query = '', key = hers.rw) => await world.get(`${PREFIX}/log${query}`, key)

test('a change by a key says what changed, before and after, and by which key', async () => {
  const { uuid } = await world.check(hers, { name: 'Backup', grace: 600 })
  clock.advance(60)
  await world.send('PATCH', `${PREFIX}/checks/${uuid}`, { key: hers.rw, body: { grace: 3600, tags: ['a'] } })
  const { json } = await log(`?object=${uuid}`)
  const [updated, created] = json.items
  assert.deepEqual([updated.type, created.type], ['check.updated', 'check.created'])
  assert.deepEqual(updated.object, { kind: 'check', id: uuid, name: 'Backup' })
  assert.deepEqual(
    [updated.before, updated.after],
    [
      { grace: 600, tags: [] },
      { grace: 3600, tags: ['a'] },
    ],
  )
  assert.deepEqual(updated.actor, { kind: 'key', id: hers.rw.slice(0, 8), name: 'API key' })
  assert.equal(new Date(updated.at).getTime(), clock.now())
  assert.equal(created.after.name, 'Backup')
})

test('a change by a person’s token names the person, and its address is shown to owners', async () => {
  const { token } = await world.token({ userId: alice.id })
  const { uuid } = await world.check(hers)
  const query = `?project=${hers.projectUuid}`
  await world.send('PATCH', `${PREFIX}/checks/${uuid}${query}`, { key: token, body: { name: 'Renamed' } })
  const [updated] = (await log(`${query}&object=${uuid}`, token)).json.items
  assert.match(updated.actor.name, /alice@example\.org/)
  assert.equal(updated.actor.address, '127.0.0.1')
  const asBob = (await world.token({ userId: bob.id })).token
  const [shown] = (await log(`${query}&object=${uuid}`, asBob)).json.items
  assert.equal(shown.actor.address, undefined)
})

test('what happens to a check by itself has no actor', async () => {
  const { uuid } = await world.check(hers)
  await world.ping({ uuid }, '/fail')
  const { items } = (await log('?actor=punctual&type=check.down,incident')).json
  assert.deepEqual(items.map(({ type }: { type: string }) => type).slice(0, 2), [
    'incident.opened',
    'check.down',
  ])
  assert.equal(items[1].object.id, uuid)
  assert.equal(items[0].after.check, uuid)
  assert.deepEqual(
    [items[1].before, items[1].after],
    [{ status: 'new' }, { status: 'down', cause: 'failed' }],
  )
  assert.equal(items[1].actor, null)
})

test('the filters select by kind, actor, type and time', async () => {
  clock.advance(3600)
  const from = new Date(clock.now()).toISOString()
  await store.channels.create({
    projectId: hers.projectId,
    name: 'Chat',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  const typesOf = async (query: string) =>
    (await log(query)).json.items.map(({ type }: { type: string }) => type)
  assert.deepEqual(await typesOf(`?from=${from}`), ['channel.created'])
  assert.deepEqual(await typesOf('?kind=channel'), ['channel.created'])
  assert.ok((await typesOf(`?to=${from}`)).every((type: string) => type !== 'channel.created'))
  assert.ok((await typesOf('?actor=others')).every((type: string) => !type.startsWith('incident')))
  const ofKey = (await log(`?actor=key:${hers.rw.slice(0, 8)}`)).json.items
  assert.ok(ofKey.length > 0 && ofKey.every(({ actor }: { actor: { kind: string } }) => actor.kind === 'key'))
  for (const wrong of ['type=x', 'kind=x', 'actor=x:', 'from=x', 'object=']) {
    assert.equal((await log(`?${wrong}`)).status, 422, wrong)
  }
})

test('pages neither repeat nor lose an event while others are added', async () => {
  const all = (await log('?limit=200')).json.items.map(({ id }: { id: string }) => id)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { json } = await log(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...json.items.map(({ id }: { id: string }) => id))
    await store.projects.rename(hers.projectId, `Name ${seen.length}`, clock.now())
    cursor = json.next
  }
  assert.deepEqual(seen, all)
})

test('a token that may only read sees no UUIDs, and an outsider nothing', async () => {
  const { uuid } = await world.check(hers, { name: 'Hidden' })
  const owner = { projectId: hers.projectId, role: 'readonly' as const }
  const { token } = await world.token(owner, { scopes: ['log:read'] })
  const { text, json } = await log('?kind=check&limit=1', token)
  assert.equal(json.items[0].object.name, 'Hidden')
  assert.equal(json.items[0].object.id, (await world.get(`/api/v3/checks/${uuid}`, hers.ro)).json.unique_key)
  assert.ok(!text.includes(uuid))
  const his = (await world.token({ userId: charlie.id })).token
  assert.equal((await log(`?project=${hers.projectUuid}`, his)).status, 404)
})
