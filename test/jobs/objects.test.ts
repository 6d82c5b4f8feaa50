import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { createBodyStore } from '../../src/actions/pings/read-bodies.js'
import { removeObjects } from '../../src/actions/pings/remove-objects.js'
import { type ObjectDeps, uploadBodies } from '../../src/actions/pings/upload-bodies.js'
import { bodyKey } from '../../src/core/pings/body-key.js'
import { objectsJob } from '../../src/jobs/objects.js'
import type { Store } from '../../src/storage/store.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { pingCheck } from '../_support/ping-check.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { openS3Server, type S3Server } from '../_support/servers/s3-server.js'
import { openTestStore } from '../_support/worlds/store.js'

const LARGE = 'all is well '.repeat(20)
const never = new AbortController().signal

interface Scene {
  store: Store
  clock: FakeClock
  server: S3Server
  deps: ObjectDeps
  projectId: number
  uuid: string
  ping(body: string | null): Promise<void>
  /** Does all that is due: uploads, then removals. */
  settle(): Promise<void>
}

/** A check whose large bodies go to object storage; the log keeps five pings. */
async function openScene(t: TestContext): Promise<Scene> {
  const store = await openTestStore(t, { objectStorage: true, pingLogLimit: 5 })
  await store.pings.noteObjectStorage()
  const clock = new FakeClock()
  const server = await openS3Server(t)
  const now = clock.now()
  const { id: projectId } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now })
  const { check } = await store.checks.create(projectId, { changes: {}, unique: null, now })
  const deps: ObjectDeps = { store, objects: server.client(), clock, leaseMs: 60_000 }
  return {
    store,
    clock,
    server,
    deps,
    projectId,
    uuid: check.uuid,
    ping: body =>
      pingCheck({ store, clock }, check.uuid, 'success', { body: body === null ? null : Buffer.from(body) }),
    async settle() {
      await uploadBodies(deps, never)
      await removeObjects(deps, never)
    },
  }
}

const textOf = (found: Awaited<ReturnType<Store['pings']['body']>>) =>
  'bytes' in found ? Buffer.from(found.bytes).toString() : 'outside'

test('a body over 100 bytes is read from the database until it is uploaded', async t => {
  const { store, server, projectId, uuid, ping, settle } = await openScene(t)
  await ping('x'.repeat(100))
  await ping(LARGE)
  const body = async (n: number) => textOf(await store.pings.body(projectId, uuid, n))
  assert.equal(await body(2), LARGE)
  assert.equal((await store.pings.details(projectId, uuid, 2)).bodySize, LARGE.length)
  await settle()
  assert.deepEqual(await server.keys(), [bodyKey(uuid, 2)])
  assert.equal(await server.object(bodyKey(uuid, 2)), LARGE)
  assert.equal(await body(2), 'outside')
  assert.equal(await body(1), 'x'.repeat(100))
  const { body: none, bodySize } = await store.pings.details(projectId, uuid, 2)
  assert.deepEqual([none, bodySize], [null, LARGE.length])
})

test('while object storage is down, bodies stay in the database and are uploaded later', async t => {
  const { store, clock, server, deps, projectId, uuid, ping, settle } = await openScene(t)
  await server.stop()
  await ping(LARGE)
  const { done, errors } = await uploadBodies(deps, never)
  assert.deepEqual([done, errors.length], [0, 1])
  assert.equal(textOf(await store.pings.body(projectId, uuid, 1)), LARGE)
  assert.equal((await uploadBodies(deps, never)).errors.length, 0)
  await server.start()
  clock.advance(2)
  await settle()
  assert.equal(textOf(await store.pings.body(projectId, uuid, 1)), 'outside')
  assert.deepEqual(await server.keys(), [bodyKey(uuid, 1)])
})

test('several processes never upload the same body', async t => {
  const { store, clock, deps, ping } = await openScene(t)
  for (let n = 0; n < 5; n++) await ping(LARGE)
  const now = clock.now()
  const claim = () => store.pings.claimUploads({ now, leaseUntil: now + deps.leaseMs, limit: 3 })
  const taken = (await Promise.all([claim(), claim(), claim()])).flat().map(({ key }) => key)
  assert.deepEqual([taken.length, new Set(taken).size], [5, 5])
})

test('an abandoned upload is made by another process after its lease ends', async t => {
  const { store, clock, deps, server, ping, settle } = await openScene(t)
  await ping(LARGE)
  const now = clock.now()
  const [claimed] = await store.pings.claimUploads({ now, leaseUntil: now + deps.leaseMs, limit: 10 })
  assert.equal(Buffer.from(claimed!.body).toString(), LARGE)
  await settle()
  assert.deepEqual(await server.keys(), [])
  clock.advance(60)
  await settle()
  assert.equal((await server.keys()).length, 1)
})

test('objects of pruned pings are deleted', async t => {
  const { server, uuid, ping, settle } = await openScene(t)
  for (let n = 1; n <= 99; n++) await ping(n < 90 ? null : LARGE)
  await settle()
  assert.equal((await server.keys()).length, 10)
  await ping(LARGE)
  const kept = [100, 99, 98, 97, 96].map(n => bodyKey(uuid, n)).sort()
  // PostgreSQL prunes after the ping was answered.
  await eventually(async () => {
    await settle()
    return isDeepStrictEqual(await server.keys(), kept)
  })
})

for (const [name, remove] of [
  [
    'a check that is deleted',
    ({ store, projectId, uuid, clock }) => store.checks.delete(projectId, uuid, clock.now()),
  ],
  ['a project that is deleted', ({ store, projectId }) => store.projects.delete(projectId)],
  [
    'events that are cleared',
    ({ store, projectId, uuid, clock }) => store.pings.clearEvents(projectId, uuid, clock.now()),
  ],
] as [string, (scene: Scene) => Promise<unknown>][]) {
  test(`objects are deleted with ${name}, even those being uploaded`, async t => {
    const scene = await openScene(t)
    const { store, server, clock, deps, ping, settle } = scene
    await ping(LARGE)
    await settle()
    await ping(LARGE)
    const now = clock.now()
    const [claimed] = await store.pings.claimUploads({ now, leaseUntil: now + deps.leaseMs, limit: 10 })
    await remove(scene)
    await settle()
    // The upload arrives after its ping was removed, and its process ends before it could say so.
    await deps.objects.put(claimed!.key, claimed!.body)
    assert.deepEqual(await server.keys(), [claimed!.key])
    clock.advance(60)
    await settle()
    assert.deepEqual(await server.keys(), [])
    assert.equal(await store.pings.nextObjectTask(), null)
  })
}

test('an upload that is confirmed after its ping was removed leaves no object', async t => {
  const { store, server, clock, deps, projectId, uuid, ping, settle } = await openScene(t)
  await ping(LARGE)
  const now = clock.now()
  const [claimed] = await store.pings.claimUploads({ now, leaseUntil: now + deps.leaseMs, limit: 10 })
  await store.checks.delete(projectId, uuid, now)
  await removeObjects(deps, never)
  await deps.objects.put(claimed!.key, claimed!.body)
  await store.pings.confirmUploads([claimed!.key])
  await settle()
  assert.deepEqual(await server.keys(), [])
  assert.equal(await store.pings.nextObjectTask(), null)
})

test('objects that could not be deleted are retried until they are', async t => {
  const { store, server, clock, uuid, projectId, ping, settle } = await openScene(t)
  await ping(LARGE)
  await settle()
  await store.checks.delete(projectId, uuid, clock.now())
  await server.stop()
  await settle()
  assert.notEqual(await store.pings.nextObjectTask(), null)
  await server.start()
  clock.advance(61)
  await settle()
  assert.deepEqual(await server.keys(), [])
  assert.equal(await store.pings.nextObjectTask(), null)
})

test('after three failures within a minute, object storage is not asked for a while', async t => {
  const clock = new FakeClock()
  const { port, requests } = await openRecorder(t, () => ({ status: requests.length > 3 ? 404 : 500 }))
  const client = (await openS3Server(t)).client({ endpoint: `127.0.0.1:${port}` })
  const bodies = createBodyStore(client, clock, () => {})
  const refused = () => assert.rejects(bodies.read('uuid', 1), { name: 'Refusal', code: 'unavailable' })
  for (let times = 0; times < 5; times++) await refused()
  assert.equal(requests.length, 3)
  clock.advance(61)
  assert.equal(await bodies.read('uuid', 1), null)
  assert.equal(requests.length, 4)
})

test('the job uploads bodies, and continues after the storage was unavailable', async t => {
  const { store, server, deps, ping } = await openScene(t)
  const failures: unknown[] = []
  const errors: unknown[] = []
  const job = objectsJob({
    ...deps,
    store,
    clock: { now: () => Date.now() },
    onFailure: error => failures.push(error),
    onError: error => errors.push(error),
  })
  await server.stop()
  await ping(LARGE)
  job.start()
  t.after(() => job.stop())
  await eventually(() => failures.length > 0)
  await server.start()
  await eventually(async () => ((await server.keys()).length === 1 ? true : null))
  assert.deepEqual(errors, [])
})
