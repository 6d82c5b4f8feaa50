/** How long incidents and their messages are kept, and that logs end where they did. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pruneIncidents } from '../../../src/actions/instance/prune-incidents.js'
import { sendAll } from '../../_support/send-all.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const DAY = 86_400_000
const LOG = { kinds: ['notification'] as const, count: 100 }
const NEWEST = { ping: 2 ** 31, flip: 2 ** 31, notification: 2 ** 31 }

async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore({ pingLogLimit: 5 })
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const channel = await scene.addChannel('A')
  await scene.ping('backup')
  await store.channels.assign({
    id: channel.id,
    projectId: project.id,
    checks: await scene.checkUuids(),
    now: scene.now,
  })
  const [uuid] = await scene.checkUuids()
  /** The numbers of messages in the logs of the check, the project and the channel, and in the incidents. */
  const messages = async () => {
    const query = { ...LOG, from: NEWEST }
    const incidents = await list()
    const inIncidents = await Promise.all(
      incidents.map(async ({ id }) => (await store.incidents.timeline(project.id, id, scene.now)).entries),
    )
    return {
      check: (await store.checks.timeline(project.id, uuid!, query)).events.length,
      project: (await store.projects.log(project.id, query)).events.length,
      channel: (await store.channels.log(channel.id, 100)).events.length,
      incidents: inIncidents.flat().filter(({ type }) => type === 'message').length,
    }
  }
  const list = async () =>
    (await store.incidents.list(project.id, {}, { after: null, limit: 100, now: scene.now })).incidents
  return { scene, raw, store, uuid: uuid!, channel, messages, list }
}

/** An incident with a down alert and its recovery. */
async function incident(scene: StoreHarness): Promise<void> {
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  scene.now += 60_000
  await scene.ping('backup')
  await sendAll(scene)
  scene.now += DAY
}

test('messages that the log of a check no longer holds are kept for its incident', async t => {
  const { scene, messages } = await openScene(t)
  await incident(scene)
  assert.deepEqual(await messages(), { check: 2, project: 2, channel: 2, incidents: 2 })
  for (let n = 0; n < 110; n++) await scene.ping('backup')
  await scene.store.instance.pruneNext(0, scene.now)
  assert.deepEqual(await messages(), { check: 0, project: 0, channel: 0, incidents: 2 })
})

test('clearing the log of a check keeps its incidents, and so does deleting it or its channel', async t => {
  const { scene, store, uuid, channel, messages, list } = await openScene(t)
  await incident(scene)
  await store.pings.clearEvents(scene.projectId, uuid, scene.now)
  assert.deepEqual(await messages(), { check: 0, project: 0, channel: 0, incidents: 2 })
  await incident(scene)
  await store.channels.delete(channel.id, scene.now)
  assert.deepEqual(await messages(), { check: 0, project: 0, channel: 0, incidents: 4 })
  await store.checks.delete(scene.projectId, uuid, scene.now)
  const [last] = await list()
  assert.deepEqual([last!.check.uuid, last!.check.name], [null, 'backup'])
  const { entries } = await store.incidents.timeline(scene.projectId, last!.id, scene.now)
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['opened', 'message', 'closed', 'message'],
  )
})

test('incidents are deleted INCIDENT_DAYS after their end, open ones never', async t => {
  const { scene, raw, store, messages, list } = await openScene(t)
  await incident(scene)
  for (let n = 0; n < 110; n++) await scene.ping('backup')
  await store.instance.pruneNext(0, scene.now)
  await incident(scene)
  await scene.ping('backup', 'fail')
  const [open, second, first] = await list()
  const clock = { now: () => scene.now, monotonic: () => scene.now } as never
  scene.now = first!.closedAt! + 400 * DAY
  await pruneIncidents(store, clock, 400)
  assert.equal((await list()).length, 3)
  scene.now += 1
  await pruneIncidents(store, clock, 400)
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    [open!.id, second!.id],
  )
  const [kept] = await raw('SELECT count(*) AS n FROM notifications WHERE kept = 1')
  assert.equal(Number(kept!.n), 0)
  scene.now += 4_000 * DAY
  await pruneIncidents(store, clock, 400)
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    [open!.id],
  )
  assert.equal((await messages()).check, 2)
  const [named] = await raw(`SELECT count(*) AS n FROM notifications WHERE incident_id = ${second!.id}`)
  assert.equal(Number(named!.n), 0)
})

test('incidents are deleted in slices, with what happened to them', async t => {
  const { scene, raw, store } = await openScene(t)
  await incident(scene)
  const [{ id, check_id, project_id } = { id: 0 }] = await raw(
    'SELECT id, check_id, project_id FROM incidents',
  )
  await store.incidents.addNote(scene.projectId, Number(id), 'x', { by: 'Alice', now: scene.now })
  for (let n = 0; n < 120; n++)
    await raw(`INSERT INTO incidents (project_id, check_id, opened_at, since_at, cause, down_at, flip_id, closed_at, closed_by)
      VALUES (${project_id}, ${check_id}, 1, 1, 'failed', 1, 0, 2, 'recovery')`)
  assert.equal(await store.incidents.prune(scene.now), true)
  assert.equal(await store.incidents.prune(scene.now), false)
  for (const table of ['incidents', 'incident_events']) {
    const [row] = await raw(`SELECT count(*) AS n FROM ${table}`)
    assert.equal(Number(row!.n), 0, table)
  }
})

test('a deleted project leaves nothing of its incidents', async t => {
  const { scene, raw, store, uuid } = await openScene(t)
  await incident(scene)
  await store.checks.delete(scene.projectId, uuid, scene.now)
  await store.projects.delete(scene.projectId)
  for (const table of ['incidents', 'incident_events', 'notifications']) {
    const [row] = await raw(`SELECT count(*) AS n FROM ${table}`)
    assert.equal(Number(row!.n), 0, table)
  }
})
