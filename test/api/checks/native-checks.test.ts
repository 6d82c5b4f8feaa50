/** Checks in Punctual's own API: listed in pages, created, deleted, and what is done to one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'
import type { Account } from '../../_support/worlds/world.js'

const world = await openWebWorld()
const { store, clock } = world
const URL = '/api/punctual/v1/checks'
const NOBODY = '00000000-0000-4000-8000-000000000000'

let made = 0
/** A project of its own for each test. */
const project = (ownerId = world.alice.id) => world.account(`Project ${++made}`, ownerId)
const create = async (to: Account, body: object = {}) => await world.post(URL, to.rw, body)
const list = async (of: Account, query = '', key = of.rw) => (await world.get(`${URL}${query}`, key)).json
const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
const pointers = ({ errors }: { errors: { pointer?: string }[] }) => errors.map(({ pointer }) => pointer)

test('a check is created with every field, and is shown and listed alike', async () => {
  const own = await project()
  const parent = (await create(own, { name: 'Parent' })).json.uuid
  const steps = [{ after: 0, channels: 'check' }]
  const policy = await world.post('/api/punctual/v1/policies', own.rw, { name: 'Nights', steps })
  const body = {
    name: 'Café "Ω"',
    slug: 'cafe',
    tags: ['web', 'prod'],
    schedule: '0 4 * * *',
    tz: 'Europe/Riga',
    grace: 120,
    failures_to_alert: 3,
    tolerated: ['failed', 'missed'],
    min_duration: 5,
    max_duration: 600,
    depends_on: [parent],
    policy: 'Nights',
  }
  const { status, json } = await create(own, body)
  assert.equal(status, 201)
  for (const [name, value] of Object.entries({ ...body, policy: policy.json.id })) {
    assert.deepEqual(json[name], value, name)
  }
  assert.deepEqual([json.kind, json.status, json.period], ['cron', 'new', null])
  assert.deepEqual((await world.get(`${URL}/${json.uuid}`, own.rw)).json, json)
  assert.deepEqual((await list(own)).items[1], json)
})

test('a list shows the incident, the channels, and to readers no UUID', async () => {
  const own = await project()
  const settings = { value: 'a@example.org', down: 'true', up: 'true' }
  const { uuid: channel } = await store.channels.create({
    projectId: own.projectId,
    name: 'Mail',
    kind: 'email',
    settings,
    members: [],
    now: clock.now(),
  })
  const { uuid } = (await create(own, { name: 'One', channels: [channel] })).json
  await world.ping({ uuid }, '/fail')
  const [item] = (await list(own)).items
  assert.deepEqual((await world.get(`${URL}/${uuid}`, own.rw)).json, item)
  assert.deepEqual(item.channels, [channel])
  assert.equal(item.incident, await store.incidents.openIncident(uuid))
  const asReader = await world.get(URL, own.ro)
  assert.ok(!asReader.text.includes(uuid))
  assert.equal(asReader.json.items[0].unique_key.length, 40)
})

test('pages of a list have every check once, although one is added and one deleted meanwhile', async () => {
  const own = await project()
  for (let count = 0; count < 7; count++) await create(own, { name: `N${count}` })
  const first = await list(own, '?limit=3')
  assert.deepEqual(names(first), ['N0', 'N1', 'N2'])
  await world.send('DELETE', `${URL}/${first.items[2].uuid}`, { key: own.rw })
  await create(own, { name: 'N7' })
  const second = await list(own, `?limit=3&cursor=${first.next}`)
  const third = await list(own, `?limit=3&cursor=${second.next}`)
  assert.deepEqual(
    [names(second), names(third)],
    [
      ['N3', 'N4', 'N5'],
      ['N6', 'N7'],
    ],
  )
  assert.equal(third.next, null)
  assert.equal((await list(own, '?limit=7')).next, null, 'no page follows that is empty')
  assert.equal((await world.get(`${URL}?limit=1001`, own.rw)).status, 422)
})

test('pages have what each check is linked to, however far its ID is from the one before', async () => {
  const [own, other] = [await project(), await project()]
  const uuids: string[] = []
  for (const others of [0, 9, 0, 1, 25, 0, 0]) {
    for (let count = 0; count < others; count++) await create(other)
    const depends_on = uuids.length % 3 === 1 ? [uuids[0]] : []
    uuids.push((await create(own, { name: `N${uuids.length}`, depends_on })).json.uuid)
  }
  await create(other, { depends_on: [(await list(other)).items[0].uuid] })
  await world.ping({ uuid: uuids[2]! }, '/fail')
  await world.ping({ uuid: uuids[5]! }, '/fail')
  await world.ping({ uuid: uuids[5]! })
  const alone = await Promise.all(uuids.map(async uuid => (await world.get(`${URL}/${uuid}`, own.rw)).json))
  assert.ok(alone[2].incident !== null && alone[5].incident === null)
  for (const limit of [1, 2, 3, 1_000]) {
    const paged: unknown[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = await list(own, `?limit=${limit}${next && `&cursor=${next}`}`)
      paged.push(...page.items)
      next = page.next
    }
    assert.deepEqual(paged, alone, `by ${limit}`)
  }
})

test('a list is filtered by status, tags, slug, name and search', async () => {
  const own = await project()
  const web = (await create(own, { name: 'Web', slug: 'web', tags: ['a', 'b'] })).json
  const old = (await create(own, { name: 'Old web', slug: 'old', tags: ['a'] })).json
  await create(own, { name: 'Mail', slug: 'mail', tags: ['ab'] })
  await world.ping(web, '/fail')
  await world.ping(old)
  const cases: Record<string, string[]> = {
    '?status=down': ['Web'],
    '?status=down,up': ['Web', 'Old web'],
    '?status=new&tag=ab': ['Mail'],
    '?tag=a': ['Web', 'Old web'],
    '?tag=b+a': ['Web'],
    '?slug=old': ['Old web'],
    '?name=Web': ['Web'],
    '?search=WEB': ['Web', 'Old web'],
    '?search=we+ol': ['Old web'],
    '?search=nothing': [],
    '?search=ld+eb': ['Old web'],
  }
  for (const [query, found] of Object.entries(cases))
    assert.deepEqual(names(await list(own, query)), found, query)
  const some = web.uuid.slice(0, 18)
  assert.deepEqual(names(await list(own, `?search=${some}`)), ['Web'])
  assert.deepEqual(names(await list(own, `?search=${some}`, own.ro)), [], 'readers cannot guess UUIDs')
  assert.deepEqual((await list(own, '?slug=old&fields=name,tags')).items, [{ name: 'Old web', tags: ['a'] }])
  const paged = await list(own, '?tag=a&limit=1')
  assert.deepEqual(names(await list(own, `?tag=a&limit=1&cursor=${paged.next}`)), ['Old web'])
  assert.equal((await world.get(`${URL}?status=late`, own.rw)).status, 422)
})

test('with unique, a known check is changed; without a value for it, nothing is done', async () => {
  const own = await project()
  const first = await create(own, { slug: 'backup', tags: ['x', 'y'], unique: ['slug', 'tags'] })
  assert.equal(first.status, 201)
  const body = { slug: 'backup', tags: ['x', 'y'], grace: 600, unique: ['slug', 'tags'] }
  const again = await create(own, body)
  assert.deepEqual([again.status, again.json.uuid, again.json.grace], [200, first.json.uuid, 600])
  assert.equal((await create(own, { ...body, tags: ['y', 'x'] })).status, 201)
  const wrong = await create(own, { name: 'x', unique: ['slug'] })
  assert.deepEqual([wrong.status, pointers(wrong.json)], [422, ['/unique']])
  assert.equal((await list(own)).items.length, 2)
})

test('what is wrong with a new check is named, and nothing is created', async () => {
  const own = await project()
  const cases: [object, string][] = [
    [{ nmae: 'x' }, '/nmae'],
    [{ name: 1 }, '/name'],
    [{ period: 3600, schedule: '* * * * *' }, '/period'],
    [{ min_duration: 60, max_duration: 30 }, '/min_duration'],
    [{ channels: [NOBODY] }, '/channels'],
    [{ depends_on: [NOBODY] }, '/depends_on'],
    [{ policy: 'None' }, '/policy'],
  ]
  for (const [body, pointer] of cases) {
    const { status, json, text } = await create(own, body)
    assert.deepEqual([status, pointers(json)], [422, [pointer]], text)
  }
  assert.deepEqual((await list(own)).items, [])
})

test('a check is paused, resumed, cleared, copied and deleted', async () => {
  const own = await project()
  const { uuid } = (await create(own, { name: 'Job', slug: 'job', tags: ['t'] })).json
  const act = async (verb: string, key = own.rw) => await world.post(`${URL}/${uuid}/${verb}`, key)
  const { token } = await world.token({ projectId: own.projectId, role: 'member' })
  await world.ping({ uuid })
  assert.equal((await act('pause')).json.status, 'paused')
  assert.equal((await act('pause')).status, 200)
  assert.equal((await act('resume')).json.status, 'new')
  assert.equal((await act('resume')).status, 409)
  await world.ping({ uuid })
  const cleared = (await act('clear', token)).json
  assert.deepEqual([cleared.status, cleared.last_ping, cleared.n_pings], ['new', null, 2])
  const copied = await act('copy')
  assert.deepEqual([copied.status, copied.json.name, copied.json.slug], [201, 'Job (copy)', 'job-copy'])
  assert.deepEqual(copied.json.tags, ['t'])
  assert.equal((await world.send('DELETE', `${URL}/${uuid}`, { key: own.rw })).status, 200)
  assert.equal((await world.get(`${URL}/${uuid}`, own.rw)).status, 404)
  assert.deepEqual(names(await list(own)), ['Job (copy)'])
})

test('a check is moved by someone whose role allows it in both projects, and by no one else', async () => {
  const [from, to, others] = [await project(), await project(), await project(world.charlie.id)]
  const { uuid } = (await create(from, { name: 'Job' })).json
  await world.ping({ uuid })
  for (const [{ id: userId }, role] of [
    [world.rita, 'readonly'],
    [world.bob, 'member'],
  ] as const) {
    for (const { projectId } of role === 'member' ? [from] : [from, to]) {
      const given = projectId === from.projectId ? 'member' : role
      await store.projects.putMember({ projectId, userId, role: given, now: clock.now() })
    }
  }
  const move = async (key: string, project: string) =>
    await world.post(`${URL}/${uuid}/move?project=${from.projectUuid}`, key, { project })
  const tokenOf = async (userId: number) => (await world.token({ userId })).token
  assert.equal((await move(await tokenOf(world.rita.id), to.projectUuid)).status, 403)
  assert.equal((await move(await tokenOf(world.bob.id), to.projectUuid)).status, 404)
  const ofProject = await world.token({ projectId: from.projectId, role: 'manager' })
  assert.equal((await move(ofProject.token, to.projectUuid)).status, 404)
  const hers = await tokenOf(world.alice.id)
  assert.equal((await move(hers, others.projectUuid)).status, 404)
  assert.equal((await world.get(`${URL}/${uuid}`, from.rw)).status, 200, 'it is still where it was')
  const moved = await move(hers, to.projectUuid)
  assert.deepEqual([moved.status, moved.json.uuid, moved.json.n_pings], [200, uuid, 1], moved.text)
  assert.equal((await world.get(`${URL}/${uuid}`, from.rw)).status, 404)
  assert.equal((await world.get(`${URL}/${uuid}`, to.rw)).status, 200)
})
