/** What a search of outputs reads from the store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import type { Store } from '../../../src/storage/store.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openTestStore } from '../../_support/worlds/store.js'

const START = 1_700_000_000_000
const HOUR = 3_600_000
const bytes = (text: string) => new TextEncoder().encode(text)

async function addProject(store: Store, name: string) {
  const email = `${name}@example.org`
  const { id } = await store.people.createUser({ email, passwordHash: null, emailProven: true, now: START })
  const project = await store.projects.create({ name, ownerId: id, pingKey: name, now: START })
  return { ...project, ownerId: id }
}

async function addCheck(store: Store, projectId: number, name: string, tags = ''): Promise<string> {
  const asked = { changes: { name, tags }, unique: null, now: START }
  return (await store.checks.create(projectId, asked)).check.uuid
}

const ping = async (store: Store, uuid: string, at: number, more: Partial<ArrivedPing> = {}) =>
  await store.pings.record([arrivedPing({ uuid }, at, more)])

/** The lines in which the outputs of a check have the text, newest first. */
async function linesOf(store: Store, projectId: number, uuid: string, text: string) {
  const { outputs } = await store.pings.listOutputs(
    ...([projectId, { uuid }, {}, { before: null, limit: 10 }] as const),
  )
  const places = await store.pings.findInOutputs(outputs, text)
  return places.map(place => (place === null || place === 'outside' ? place : place.line))
}

test('a text is found in bodies in the log and in those that wait for object storage', async t => {
  const store = await openTestStore(t, { objectStorage: true })
  const { id } = await addProject(store, 'alice')
  const uuid = await addCheck(store, id, 'Backup')
  await ping(store, uuid, START, { body: bytes('short\ndisk full') })
  await ping(store, uuid, START, { body: bytes(`${'x\n'.repeat(200)}DISK full`) })
  await ping(store, uuid, START, { body: new Uint8Array([0xff, 0xfe, 0, ...bytes('disk full')]) })
  await ping(store, uuid, START)
  await ping(store, uuid, START, { body: bytes('nothing') })
  assert.deepEqual(await linesOf(store, id, uuid, 'disk FULL'), [null, null, 1, 201, 2])
  const [upload] = await store.pings.claimUploads({ limit: 9, now: START, leaseUntil: START + 1 })
  await store.pings.confirmUploads([upload!.key])
  assert.deepEqual(await linesOf(store, id, uuid, 'disk FULL'), [null, null, 1, 'outside', 2])
})

test('of a body as much is searched as its page shows', async t => {
  const store = await openTestStore(t)
  const { id } = await addProject(store, 'alice')
  const uuid = await addCheck(store, id, 'Large')
  const filler = 'x'.repeat(99_990)
  await ping(store, uuid, START, { body: bytes(`${filler}needle`) })
  await ping(store, uuid, START, { body: bytes(`${filler}${filler}needle`) })
  assert.deepEqual(await linesOf(store, id, uuid, 'needle'), [null, 1])
})

test('the outputs of a check are listed newest first, in pages, by kind and time', async t => {
  const store = await openTestStore(t, { pingLogLimit: 4 })
  const { id } = await addProject(store, 'alice')
  const uuid = await addCheck(store, id, 'Backup')
  for (const [n, action] of (['log', 'success', 'start', 'fail', 'success'] as const).entries())
    await ping(store, uuid, START + n * 1_000, { action, body: bytes('x'.repeat(n)) })
  const list = async (filter: object, before: number | null, limit: number) => {
    const { outputs, more } = await store.pings.listOutputs(id, { uuid }, filter, { before, limit })
    return [outputs.map(({ n, size }) => [n, size]), more]
  }
  const two = [
    [5, 4],
    [4, 3],
  ]
  assert.deepEqual(await list({}, null, 2), [two, true])
  // The first one is beyond the limit of the log.
  assert.deepEqual(await list({}, 4, 2), [
    [
      [3, 2],
      [2, 1],
    ],
    false,
  ])
  assert.deepEqual(await list({ kinds: ['fail'], to: START + 9_000 }, null, 2), [[[4, 3]], false])
  assert.deepEqual(await list({ to: START + 2_000 }, null, 2), [[[2, 1]], false])
})

test('the last outputs are those of checks that are down, then late, then pinged last', async t => {
  const store = await openTestStore(t)
  const [alice, charlie] = [await addProject(store, 'alice'), await addProject(store, 'charlie')]
  const names = ['quiet', 'late', 'down', 'old', 'new', 'gone', 'silent']
  const uuids = new Map<string, string>()
  for (const name of names)
    uuids.set(name, await addCheck(store, alice.id, name, name === 'new' ? 'Shop' : ''))
  uuids.set('secret', await addCheck(store, charlie.id, 'secret'))
  const now = START + 24 * HOUR + 1_000
  const at = async (name: string, when: number, more: Partial<ArrivedPing> = {}) =>
    await ping(store, uuids.get(name)!, when, { body: bytes(name), ...more })
  await at('late', START)
  await at('old', now - 2 * HOUR)
  await at('new', now - HOUR)
  await at('new', now - 60_000, { action: 'start', body: bytes('a start') })
  await at('down', now - 3 * HOUR, { action: 'fail' })
  await at('gone', now)
  await at('secret', now)
  // Its output is too many pings back.
  await at('silent', now)
  for (let n = 0; n < 5; n++) await at('silent', now, { body: null })
  await store.checks.keepUndo({
    ...{ projectId: alice.id, userId: alice.ownerId, now },
    change: { plan: 'delete', checks: [uuids.get('gone')!] },
  })
  const list = async (tags: string[], most: number) => {
    const found = await store.pings.listLastOutputs([alice], { tags, most }, now)
    const { outputs, asked, checks } = found
    return [outputs.map(({ check, output }) => `${check.name} ${output.n} ${output.size}`), asked, checks]
  }
  assert.deepEqual(await list([], 9), [['down 1 4', 'late 1 4', 'new 1 3', 'old 1 3'], 5, 5])
  assert.deepEqual(await list([], 2), [['down 1 4', 'late 1 4'], 2, 5])
  assert.deepEqual(await list(['sho'], 9), [['new 1 3'], 1, 1])
})
