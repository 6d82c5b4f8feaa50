/** What opens, reopens and closes incidents, and which messages belong to them. Decision 0115. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendAll } from '../../_support/send-all.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  /** The incidents, oldest first, as `opened-closed by`, in minutes since the start. */
  const start = scene.now
  const minutes = (at: unknown) => (at === null ? '' : String((Number(at) - start) / MINUTE))
  const incidents = async () =>
    (await raw('SELECT * FROM incidents ORDER BY id')).map(
      row => `${minutes(row.opened_at)}-${minutes(row.closed_at)} ${row.closed_by ?? 'open'}`,
    )
  return { scene, raw, incidents, store }
}

test('a failure opens an incident, and the next success closes it', async t => {
  const { scene, raw, incidents } = await openScene(t)
  await scene.ping('backup')
  assert.deepEqual(await incidents(), [])
  await scene.ping('backup', 'fail')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await incidents(), ['0- open'])
  scene.now += 2 * MINUTE
  await scene.ping('backup')
  assert.deepEqual(await incidents(), ['0-2 recovery'])
  const [row] = await raw('SELECT cause, label, releases FROM incidents')
  assert.deepEqual({ ...row }, { cause: 'failed', label: '', releases: 0 })
})

test('going down again within 15 minutes reopens the incident, later opens another', async t => {
  const { scene, raw, incidents } = await openScene(t)
  await scene.ping('backup', 'fail')
  scene.now += MINUTE
  await scene.ping('backup')
  scene.now += 15 * MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await incidents(), ['0- open'])
  const events = await raw('SELECT kind, reason, created_at FROM incident_events ORDER BY id')
  assert.deepEqual(
    events.map(({ kind, reason, created_at }) => [kind, reason, (scene.now - Number(created_at)) / MINUTE]),
    [
      ['closed', 'recovery', 15],
      ['reopened', 'failed', 0],
    ],
  )
  await scene.ping('backup')
  scene.now += 15 * MINUTE + 1
  await scene.ping('backup', 'fail')
  assert.deepEqual((await incidents()).length, 2)
})

test('several changes of several checks in one batch of pings leave what each would alone', async t => {
  const { scene, raw, incidents } = await openScene(t)
  await scene.addChannel('A')
  const batch = [
    scene.arrived('a', 'fail'),
    scene.arrived('b', 'fail'),
    scene.arrived('a'),
    scene.arrived('c'),
    scene.arrived('b'),
    scene.arrived('a', 'fail'),
  ]
  const { outcomes } = await scene.store.pings.record(batch)
  assert.deepEqual(outcomes, ['created', 'created', 'ok', 'created', 'ok', 'ok'])
  assert.deepEqual(await incidents(), ['0- open', '0-0 recovery'])
  const { id } = await scene.addChannel('B')
  await scene.store.pings.record([scene.arrived('b', 'fail'), scene.arrived('a'), scene.arrived('a', 'fail')])
  assert.deepEqual(await incidents(), ['0- open', '0- open'])
  const owed = await raw(`
    SELECT d.incident_id, i.check_id FROM deliveries d JOIN incidents i ON i.id = d.incident_id AND i.check_id = d.check_id
    WHERE d.channel_id = ${id}`)
  assert.equal(owed.length, 3)
})

test('a pause closes the incident, and one after a resume is another', async t => {
  const { scene, incidents, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  scene.now += MINUTE
  await store.checks.pause(scene.projectId, uuid!, scene.now)
  assert.deepEqual(await incidents(), ['0-1 paused'])
  scene.now += MINUTE
  await store.checks.resume(scene.projectId, uuid!, scene.now)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await incidents(), ['0-1 paused', '2- open'])
})

test('the incidents of a deleted check stay, with its name', async t => {
  const { scene, raw, incidents, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  await store.checks.update(scene.projectId, uuid!, { changes: { name: 'Backup' }, now: scene.now })
  scene.now += MINUTE
  await store.checks.delete(scene.projectId, uuid!, scene.now)
  assert.deepEqual(await incidents(), ['0-1 deleted'])
  assert.deepEqual({ ...(await raw('SELECT label FROM incidents'))[0] }, { label: 'Backup' })
})

test('clearing the log of a check closes its incident', async t => {
  const { scene, incidents, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  scene.now += MINUTE
  await store.pings.clearEvents(scene.projectId, uuid!, scene.now)
  assert.deepEqual(await incidents(), ['0-1 person'])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await incidents(), ['0-1 person', '1- open'])
})

test('a check that is down opens an incident in the project that it moves to', async t => {
  const { scene, raw, incidents, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const target = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: null, now: 1 })
  const [uuid] = await scene.checkUuids()
  scene.now += MINUTE
  const move = { projectId: scene.projectId, uuid: uuid!, targetId: target.id, now: scene.now }
  await store.checks.move(move)
  assert.deepEqual(await incidents(), ['0-1 person', '1- open'])
  const rows = await raw('SELECT project_id, label, flip_id, cause FROM incidents ORDER BY id')
  assert.deepEqual(
    rows.map(({ project_id, label, cause }) => [project_id, label, cause]),
    [
      [scene.projectId, 'backup', 'failed'],
      [target.id, '', 'failed'],
    ],
  )
  assert.equal(rows[0]!.flip_id, rows[1]!.flip_id)
  await store.pings.record([{ ...scene.arrived('backup'), target: { uuid: uuid! } }])
  assert.deepEqual(await incidents(), ['0-1 person', '1-1 recovery'])
  await store.checks.move({ ...move, projectId: target.id, targetId: scene.projectId })
  assert.equal((await incidents()).length, 2)
})

test('a closing incident on which others depend asks that their alerts are looked at', async t => {
  const { scene, raw } = await openScene(t)
  const releases = async () => (await raw('SELECT releases FROM incidents'))[0]!.releases
  await scene.ping('router', 'fail')
  await scene.ping('backup')
  const ids = (await raw('SELECT id FROM checks ORDER BY id')).map(({ id }) => id)
  await raw(`INSERT INTO check_parents (check_id, parent_id) VALUES (${ids[1]}, ${ids[0]})`)
  assert.equal(await releases(), 0)
  await scene.ping('router')
  assert.equal(await releases(), 1)
  await scene.ping('router', 'fail')
  assert.equal(await releases(), 0)
})

test('every message about an incident names it: alerts, their ends, and what replaces them', async t => {
  const { scene, raw, store } = await openScene(t)
  const { id } = await scene.addChannel('A')
  const named = async (table: string) =>
    (await raw(`SELECT incident_id FROM ${table} ORDER BY id`)).map(row => row.incident_id)
  await scene.ping('backup', 'fail')
  const [{ id: incident } = { id: 0 }] = await raw('SELECT id FROM incidents')
  assert.deepEqual(await named('deliveries'), [incident])
  await sendAll(scene, { rules: { keepsOpen: true } })
  assert.deepEqual(await named('notifications'), [incident])
  // The end of the incident for a channel that is unlinked.
  await store.channels.assign({ id, projectId: scene.projectId, checks: [], now: scene.now })
  assert.deepEqual(await named('deliveries'), [incident])
  // A down alert that replaces it, because the channel is linked again before it was sent.
  const [closing] = await scene.claim('me', { rules: { keepsOpen: true } })
  const checks = await scene.checkUuids()
  await store.channels.assign({ id, projectId: scene.projectId, checks, now: scene.now })
  await scene.settle(closing!, 'sent')
  assert.deepEqual(await named('deliveries'), [incident])
  assert.deepEqual(await sendAll(scene, { rules: { keepsOpen: true } }), ['backup down'])
  assert.deepEqual(await named('notifications'), [incident, incident, incident])
  // What a channel is sent when it is enabled again.
  await store.channels.setEnabled(id, false, scene.now)
  await scene.ping('backup')
  await store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await named('deliveries'), [incident])
})

test('a ping of a check that is down without an incident is recorded all the same', async t => {
  const { scene, raw, incidents } = await openScene(t)
  await scene.ping('backup', 'fail')
  await raw('DELETE FROM incidents')
  assert.equal(await scene.ping('backup'), 'ok')
  assert.deepEqual(await incidents(), [])
  assert.equal(await scene.ping('backup', 'fail'), 'ok')
  assert.deepEqual(await incidents(), ['0- open'])
  // An open incident of a check that is up.
  await raw("UPDATE checks SET status = 'up'")
  assert.equal(await scene.ping('backup', 'fail'), 'ok')
  assert.deepEqual(await incidents(), ['0- open'])
})
