import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const upsert = (body: object, key = alice.rw) => world.post('/api/v3/checks/', key, body)

test('a check with the same value is changed and the answer is 200', async () => {
  const check = await world.check(alice, { name: 'by name', grace: 60 })
  const { status, json } = await upsert({ name: 'by name', timeout: 120, unique: ['name'] })
  assert.equal(status, 200)
  assert.equal(json.uuid, check.uuid)
  assert.equal(json.timeout, 120)
  assert.equal(json.grace, 60)
})

test('a check is made where none has the value', async () => {
  const { status } = await upsert({ name: 'not there yet', unique: ['name'] })
  assert.equal(status, 201)
})

test('each of the five fields can be looked for, alone and together', async () => {
  const fields = { name: 'five', slug: 'five', tags: 'a b', timeout: 777, grace: 888 }
  const { uuid } = await world.check(alice, fields)
  for (const unique of [['name'], ['slug'], ['tags'], ['timeout'], ['grace'], Object.keys(fields)]) {
    assert.equal((await upsert({ ...fields, unique })).json.uuid, uuid, unique.join())
  }
  const other = await upsert({ ...fields, name: 'six', unique: ['name', 'slug'] })
  assert.equal(other.status, 201)
})

test('values are compared whole and exactly', async () => {
  await world.check(alice, { tags: 'x y', name: 'Exact' })
  assert.equal((await upsert({ tags: 'y x', unique: ['tags'] })).status, 201)
  assert.equal((await upsert({ name: 'exact', unique: ['name'] })).status, 201)
})

test('a field that is looked for but not sent matches nothing', async () => {
  await world.check(alice, { name: '' })
  assert.equal((await upsert({ unique: ['name'] })).status, 201)
  assert.equal((await upsert({ name: 'x', unique: ['name', 'slug'] })).status, 201)
})

test('an empty list always makes a check', async () => {
  const body = { name: 'twice', unique: [] }
  assert.equal((await upsert(body)).status, 201)
  assert.equal((await upsert(body)).status, 201)
})

test('an empty text is a value like any other', async () => {
  const fresh = await world.account()
  const { uuid } = await world.check(fresh, { name: '' })
  assert.equal((await upsert({ name: '', unique: ['name'] }, fresh.rw)).json.uuid, uuid)
})

test('a field named twice is looked for once', async () => {
  const { uuid } = await world.check(alice, { name: 'doubled' })
  assert.equal((await upsert({ name: 'doubled', unique: ['name', 'name'] })).json.uuid, uuid)
})

test('of several matches the oldest is changed', async () => {
  const { uuid } = await world.check(alice, { slug: 'many' })
  await world.check(alice, { slug: 'many' })
  assert.equal((await upsert({ slug: 'many', unique: ['slug'] })).json.uuid, uuid)
})

test('checks of other projects do not match', async () => {
  await world.check(charlie, { name: 'his alone' })
  assert.equal((await upsert({ name: 'his alone', unique: ['name'] })).status, 201)
})

test('twenty upserts at once make one check', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => upsert({ name: 'raced', unique: ['name'] })),
  )
  assert.equal(replies.filter(reply => reply.status === 201).length, 1)
  assert.equal(new Set(replies.map(reply => reply.json.uuid)).size, 1)
})

test('versions 1 and 2 give a known check the slug of its name', async () => {
  const { uuid } = await world.check(alice, { name: 'Slug Me' })
  const { json } = await world.post('/api/v2/checks/', alice.rw, { name: 'Slug Me', unique: ['name'] })
  assert.equal(json.uuid, uuid)
  assert.equal(json.slug, 'slug-me')
})

test('an update validates unique but does not use it', async () => {
  const first = await world.check(alice, { name: 'one of two' })
  const second = await world.check(alice, { name: 'two of two' })
  const body = { name: 'one of two', unique: ['name'] }
  const { json } = await world.post(`/api/v3/checks/${second.uuid}`, alice.rw, body)
  assert.equal(json.uuid, second.uuid)
  assert.notEqual(json.uuid, first.uuid)
})
