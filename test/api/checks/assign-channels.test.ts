import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const now = world.clock.now()
const channel = async (owner: { projectId: number }, name: string) => {
  const made = { projectId: owner.projectId, name, kind: 'webhook', settings: {}, members: [], now }
  return (await world.store.channels.create(made)).uuid
}

const ops = await channel(alice, 'Ops')
const dev = await channel(alice, 'Dev')
const twin = await channel(alice, 'Twin')
await channel(alice, 'Twin')
await channel(alice, '')
const his = await channel(charlie, 'His')
const sorted = (...uuids: string[]) => uuids.sort().join(',')

const check = await world.check(alice)
const assign = (channels: string) => world.post(`/api/v3/checks/${check.uuid}`, alice.rw, { channels })
const create = (channels: string) => world.post('/api/v3/checks/', alice.rw, { channels })

test('a new check has no channels unless some are named', () => {
  assert.equal(check.channels, '')
})

test('an asterisk assigns all channels of the project', async () => {
  const { json } = await create('*')
  assert.equal(json.channels.split(',').length, 5)
  assert.ok(!json.channels.includes(his))
  assert.equal((await create('')).json.channels, '')
})

test('channels are named by UUID or by name, and listed as sorted UUIDs', async () => {
  assert.equal((await assign(ops)).json.channels, ops)
  assert.equal((await assign('Ops,Dev')).json.channels, sorted(ops, dev))
  assert.equal((await assign(`Dev,${ops},Ops`)).json.channels, sorted(ops, dev))
  assert.equal((await create(`${dev},Ops`)).json.channels, sorted(ops, dev))
})

test('an update without channels leaves them, an empty text takes them away', async () => {
  await assign('Ops')
  const renamed = await world.post(`/api/v3/checks/${check.uuid}`, alice.rw, { name: 'x' })
  assert.equal(renamed.json.channels, ops)
  assert.equal((await assign('')).json.channels, '')
})

const WRONG: [channels: string, error: string][] = [
  ['Ops,', 'empty channel identifier'],
  [',', 'empty channel identifier'],
  [' Ops', 'invalid channel identifier:  Ops'],
  ['ops', 'invalid channel identifier: ops'],
  ['*,Ops', 'invalid channel identifier: *'],
  ['nobody,', 'invalid channel identifier: nobody'],
  ['Twin', 'non-unique channel identifier: Twin'],
  [his, `invalid channel identifier: ${his}`],
  ['His', 'invalid channel identifier: His'],
  [ops.toUpperCase(), `invalid channel identifier: ${ops.toUpperCase()}`],
]
for (const [channels, error] of WRONG) {
  test(`channels "${channels}" are refused: ${error}, and nothing is saved`, async () => {
    const before = (await world.get('/api/v3/checks/', alice.rw)).text
    const updated = await world.post(`/api/v3/checks/${check.uuid}`, alice.rw, { channels, name: 'new' })
    assert.equal(updated.status, 400)
    assert.equal(updated.json.error, error)
    assert.equal((await create(channels)).json.error, error)
    assert.equal((await world.get('/api/v3/checks/', alice.rw)).text, before)
  })
}

test('one of several channels of the same name is named by its UUID', async () => {
  assert.equal((await assign(twin)).json.channels, twin)
})

test('a channel called * is addressed within a list', async () => {
  const star = await channel(alice, '*')
  assert.equal((await assign('*,Ops')).json.channels, sorted(star, ops))
})

test('a deleted check is shown with the channels it had', async () => {
  const { json } = await create('Ops')
  const deleted = await world.send('DELETE', `/api/v3/checks/${json.uuid}`, { key: alice.rw })
  assert.equal(deleted.json.channels, ops)
})

test('channels are listed in the order they were made, to read-write keys only', async () => {
  const { status, json } = await world.get('/api/v3/channels/', alice.rw)
  assert.equal(status, 200)
  assert.deepEqual(json.channels[0], { id: ops, name: 'Ops', kind: 'webhook' })
  assert.deepEqual(Object.keys(json.channels[0]), ['id', 'name', 'kind'])
  assert.deepEqual(
    json.channels.map((one: { name: string }) => one.name),
    ['Ops', 'Dev', 'Twin', 'Twin', '', '*'],
  )
  const refused = await world.get('/api/v3/channels/', alice.ro)
  assert.equal(refused.status, 401)
  assert.equal(refused.json.error, 'wrong api key')
  assert.equal((await world.get('/api/v3/channels/', charlie.rw)).json.channels.length, 1)
})
