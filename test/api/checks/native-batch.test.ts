/** Many changes of checks in one request of Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKeys } from '../../../src/actions/projects/revoke-keys.js'
import { type Account, openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const limited = await openWorld({ store: { checkLimit: 3 } })
const { alice, charlie } = world
const URL = '/api/punctual/v1/checks'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const send = (operations: unknown, headers = {}) =>
  world.send('POST', `${URL}:batch`, { key: alice.rw, headers, body: { operations } })
const statuses = (json: { results: { status: number }[] }) => json.results.map(({ status }) => status)
const total = async () => (await world.get(`${URL}?limit=1000&fields=uuid`, alice.rw)).json.items.length

test('each operation has an answer, in their order, and one that is refused stops no other', async () => {
  const [a, b] = [await world.check(alice, { name: 'A' }), await world.check(alice, { name: 'B' })]
  const his = await world.check(charlie)
  const { status, json } = await send([
    { op: 'create', check: { name: 'New', tags: ['x'] } },
    { op: 'create', check: { name: 1 } },
    { op: 'create', check: { min_duration: 9, max_duration: 3 } },
    { op: 'update', uuid: a.uuid, check: { name: 'Changed', grace: 600 } },
    { op: 'update', uuid: a.uuid, check: { name: 'Again', channels: [NOBODY] } },
    { op: 'pause', uuid: a.uuid },
    { op: 'resume', uuid: a.uuid },
    { op: 'resume', uuid: a.uuid },
    { op: 'delete', uuid: b.uuid },
    { op: 'pause', uuid: b.uuid },
    { op: 'delete', uuid: his.uuid },
  ])
  assert.equal(status, 200)
  assert.deepEqual(statuses(json), [201, 422, 422, 200, 422, 200, 200, 409, 200, 404, 404])
  const { results } = json
  assert.deepEqual(results[0].check, (await world.get(`${URL}/${results[0].check.uuid}`, alice.rw)).json)
  assert.equal(results[1].problem.errors[0].pointer, '/name')
  assert.equal(results[2].problem.errors[0].pointer, '/min_duration')
  assert.equal(results[4].problem.errors[0].pointer, '/channels')
  assert.deepEqual([results[5].check.status, results[6].check.status], ['paused', 'new'])
  const { name, grace } = (await world.get(`${URL}/${a.uuid}`, alice.rw)).json
  assert.deepEqual([name, grace], ['Changed', 600], 'nothing is left of what was refused')
  assert.equal((await world.get(`${URL}/${his.uuid}`, charlie.rw)).status, 200)
})

test('operations that need others before them find what those did', async () => {
  const { json } = await send([
    { op: 'create', check: { slug: 'one' } },
    { op: 'create', check: { slug: 'one', grace: 900, unique: ['slug'] } },
    { op: 'create', check: { slug: 'two', unique: ['slug'] } },
    { op: 'create', check: { slug: 'two', unique: ['slug'] } },
  ])
  assert.deepEqual(statuses(json), [201, 200, 201, 200])
  assert.equal(json.results[1].check.uuid, json.results[0].check.uuid)
})

test('many are created in order, once, although the request is sent twice', async () => {
  const before = await total()
  const operations = Array.from({ length: 450 }, (_, n) => ({ op: 'create', check: { name: `N${n}` } }))
  const headers = { 'Idempotency-Key': 'many' }
  const [first, second] = [await send(operations, headers), await send(operations, headers)]
  assert.ok(statuses(first.json).every(status => status === 201))
  assert.equal(second.text, first.text)
  assert.equal(await total(), before + 450)
  const { items } = (await world.get(`${URL}?limit=1000&fields=name`, alice.rw)).json
  const names = items.slice(before).map(({ name }: { name: string }) => name)
  assert.deepEqual(
    names,
    operations.map(({ check }) => check.name),
  )
})

test('the log has each check of a batch, with what was asked and by whom', async () => {
  const account = await world.account('Logged')
  const operations = [
    { op: 'create', check: { name: 'A', tags: ['x'], grace: 900 } },
    { op: 'create', check: { name: 1 } },
    { op: 'create', check: { name: 'B', schedule: '0 4 * * *' } },
  ]
  const { json } = await world.send('POST', `${URL}:batch`, { key: account.rw, body: { operations } })
  const uuid = json.results[2].check.uuid
  await world.send('POST', `${URL}:batch`, {
    key: account.rw,
    body: { operations: [{ op: 'update', uuid, check: { name: 'C' } }] },
  })
  const { items } = (await world.get('/api/punctual/v1/log', account.rw)).json
  const logged = items
    .filter(({ type }: { type: string }) => type.startsWith('check.'))
    .map(({ type, object, before, after, actor }: Record<string, Record<string, string>>) => [
      type,
      object!.id,
      before,
      after,
      actor!.kind,
    ])
  assert.deepEqual(logged, [
    ['check.updated', uuid, { name: 'B' }, { name: 'C' }, 'key'],
    ['check.created', uuid, null, { kind: 'cron', name: 'B', schedule: '0 4 * * *' }, 'key'],
    ['check.created', json.results[0].check.uuid, null, { name: 'A', tags: ['x'], grace: 900 }, 'key'],
  ])
})

test('a batch is refused only what the limit of checks has no room for', async () => {
  const operations = ['A', 'B', 'C', 'D', 'E'].map(name => ({ op: 'create', check: { name } }))
  const account = await limited.account('Limited')
  const batch = () => limited.send('POST', `${URL}:batch`, { key: account.rw, body: { operations } })
  const { json } = await batch()
  assert.deepEqual(statuses(json), [201, 201, 201, 403, 403])
  assert.match(json.results[3].problem.detail, /limit of 3 checks/)
  assert.deepEqual(statuses((await batch()).json), [403, 403, 403, 403, 403])
  const { items } = (await limited.get(URL, account.rw)).json
  assert.deepEqual(
    items.map(({ name }: { name: string }) => name),
    ['A', 'B', 'C'],
  )
})

test('a batch that is not one is refused as a whole', async () => {
  const before = await total()
  const create = { op: 'create', check: {} }
  const cases: [unknown, string][] = [
    [[], '/operations'],
    ['x', '/operations'],
    [Array(501).fill(create), '/operations'],
    [[create, { op: 'explode' }], '/operations/1/op'],
    [[create, { op: 'delete' }], '/operations/1/uuid'],
    [[create, { op: 'create' }], '/operations/1/check'],
    [[create, { ...create, more: 1 }], '/operations/1/more'],
  ]
  for (const [operations, pointer] of cases) {
    const { status, json } = await send(operations)
    assert.deepEqual([status, json.errors[0].pointer], [422, pointer])
  }
  assert.equal(await total(), before)
  const asReader = await world.send('POST', `${URL}:batch`, { key: alice.ro, body: { operations: [create] } })
  assert.equal(asReader.status, 403)
  for (const path of ['/checksbatch', '/checks:other']) {
    assert.equal((await world.post(`/api/punctual/v1${path}`, alice.rw, {})).status, 404, path)
  }
})

test('what is left of a batch is refused once its caller may no longer do it', async t => {
  const { store, clock } = world
  const person = (email: string) =>
    store.people.createUser({ email, passwordHash: null, emailProven: true, now: clock.now() })
  const owner = await person('owner@example.org')
  const cases: [
    string,
    number,
    (member: { projectId: number; userId: number; userUuid: string; token: string }) => Promise<unknown>,
  ][] = [
    ['revoked', 401, ({ userId, token }) => store.projects.revokeApiToken({ userId }, token, clock.now())],
    ['read-only', 403, ({ projectId, userId }) => putMember(projectId, userId, 'readonly')],
    [
      'removed',
      404,
      ({ projectId, userUuid }) => store.projects.removeMember(projectId, userUuid, clock.now()),
    ],
  ]
  const putMember = (projectId: number, userId: number, role: 'member' | 'readonly') =>
    store.projects.putMember({ projectId, userId, role, now: clock.now() })
  for (const [name, refused, end] of cases) {
    const account = await world.account(name, owner.id)
    const { id: userId, uuid: userUuid } = await person(`${name}@example.org`)
    await putMember(account.projectId, userId, 'member')
    const { token, uuid } = await world.token({ userId })
    const [a, b] = [await world.check(account), await world.check(account)]
    const { create } = store.checks
    t.mock.method(store.checks, 'create', async (...args: Parameters<typeof create>) => {
      const made = await create.apply(store.checks, args)
      await end({ projectId: account.projectId, userId, userUuid, token: uuid })
      clock.advance(2)
      return made
    })
    const { status, json } = await world.send('POST', `${URL}:batch?project=${account.projectUuid}`, {
      headers: { Authorization: `Bearer ${token}` },
      body: {
        operations: [
          { op: 'create', check: { name: 'New' } },
          { op: 'update', uuid: a.uuid, check: { name: 'Changed' } },
          { op: 'delete', uuid: b.uuid },
          { op: 'create', check: { name: 'Late' } },
        ],
      },
    })
    t.mock.restoreAll()
    assert.equal(status, 200)
    assert.deepEqual(statuses(json), [201, refused, refused, refused], name)
    const { items } = (await world.get(URL, account.rw)).json
    assert.deepEqual(items.map(({ name }: { name: string }) => name).sort(), ['', '', 'New'])
  }
})

test('what is left of a batch is refused once its key or the token of its project has ended', async t => {
  const { store, clock } = world
  type Ended = { account: Account; token: { token: string; uuid: string } }
  const expiresAt = clock.now() + 3_600_000
  const cases: [string, (ended: Ended) => string, (ended: Ended) => unknown][] = [
    [
      'key',
      ({ account }) => account.rw,
      ({ account: { projectId } }) => revokeKeys(store, { projectId, kind: 'rw', now: clock.now() }),
    ],
    [
      'token',
      ({ token }) => token.token,
      ({ account: { projectId }, token }) =>
        store.projects.revokeApiToken({ projectId }, token.uuid, clock.now()),
    ],
    ['expired', ({ token }) => token.token, () => clock.advance(3_600)],
  ]
  for (const [name, credential, end] of cases) {
    const account = await world.account(`Ended ${name}`)
    const token = await world.token({ projectId: account.projectId, role: 'member' }, { expiresAt })
    const check = await world.check(account)
    const { create } = store.checks
    t.mock.method(store.checks, 'create', async (...args: Parameters<typeof create>) => {
      const made = await create.apply(store.checks, args)
      await end({ account, token })
      clock.advance(2)
      return made
    })
    const { status, json } = await world.post(`${URL}:batch`, credential({ account, token }), {
      operations: [
        { op: 'create', check: { name: 'New' } },
        { op: 'pause', uuid: check.uuid },
        { op: 'create', check: { name: 'Late' } },
      ],
    })
    t.mock.restoreAll()
    assert.equal(status, 200)
    assert.deepEqual(statuses(json), [201, 401, 401], name)
    const { items } = (await world.get(URL, account.ro)).json
    assert.deepEqual(items.map((one: { name: string }) => one.name).sort(), ['', 'New'], name)
    assert.ok(items.every((one: { status: string }) => one.status !== 'paused'))
  }
})
