import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

const ASK = { channels: undefined, now: 1_000, unique: null }

/** A check in a database that two processes have open, as the server and the command line do. */
async function openTwice(t: TestContext) {
  const file = join(await tempFolder(t), 'punctual.db')
  const open = async () => {
    const store = await openSqliteStore(file, testSettings, { create: true })
    t.after(() => store.close())
    return store
  }
  const [server, other] = [await open(), await open()]
  const { id: projectId } = await server.projects.create({
    name: 'Alice',
    ownerId: null,
    pingKey: 'key',
    now: 1,
  })
  const { check } = await server.checks.create(projectId, { changes: { slug: 'backup' }, ...ASK })
  const ping = (at: number) => arrivedPing({ uuid: check.uuid }, at)
  const show = async () => {
    const viewer = { projectId, version: 3, access: 'rw', now: 10_000 } as const
    return JSON.parse(await server.checks.show(viewer, { uuid: check.uuid }))
  }
  return { server, other, projectId, uuid: check.uuid, ping, show }
}

test('a ping continues the count of another process’s pings', async t => {
  const { server, other, ping, show } = await openTwice(t)
  await server.pings.record([ping(1_000)])
  await other.pings.record([ping(2_000), ping(2_001)])
  await server.pings.record([ping(3_000)])
  assert.equal((await show()).n_pings, 4)
})

test('a ping follows the rules that another process set since the last one', async t => {
  const { server, other, projectId, uuid, ping, show } = await openTwice(t)
  await server.pings.record([ping(1_000)])
  await other.checks.update(projectId, uuid, { ...ASK, changes: { manualResume: true } })
  await other.checks.pause(projectId, uuid, 2_000)
  await server.pings.record([ping(3_000)])
  assert.equal((await show()).status, 'paused')
})

test('a ping follows the rules that its own process set since the last one', async t => {
  const { server, projectId, uuid, ping, show } = await openTwice(t)
  await server.pings.record([ping(1_000)])
  await server.checks.update(projectId, uuid, { ...ASK, changes: { methods: 'POST' } })
  await server.pings.record([ping(2_000)])
  const { last_ping, n_pings } = await show()
  assert.deepEqual({ last_ping, n_pings }, { last_ping: '1970-01-01T00:00:01+00:00', n_pings: 2 })
})

test('pings go before a pause and a deletion that are asked for at once', async t => {
  const { server, projectId, uuid, ping } = await openTwice(t)
  await server.pings.record([ping(1_000)])
  const outcomes = await Promise.all([
    server.pings.record([ping(2_000)]),
    server.checks.pause(projectId, uuid, 2_001),
    server.pings.record([ping(3_000)]),
    server.checks.delete(projectId, uuid, 3_001),
    server.pings.record([ping(4_000)]),
  ])
  assert.deepEqual([outcomes[2].outcomes, outcomes[4].outcomes], [['ok'], ['ok']])
  assert.deepEqual((await server.pings.record([ping(5_000)])).outcomes, ['not-found'])
})

test('a ping whose write was refused leaves the count as it was', async t => {
  const { server, ping, show } = await openTwice(t)
  await server.pings.record([ping(1_000)])
  const broken = { ...ping(2_000), ua: {} as string }
  await assert.rejects(server.pings.record([ping(2_000), broken]))
  await server.pings.record([ping(3_000)])
  assert.equal((await show()).n_pings, 2)
})
