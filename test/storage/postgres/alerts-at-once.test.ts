/** What changes a channel or ends a check beside what sends about it: neither misses the other. Decisions 0102 and 0110. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { CommitBarrier } from '../../_support/commit-barrier.js'
import { freshDatabase } from '../../_support/postgres.js'
import { sendAll } from '../../_support/send-all.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const INCIDENTS = { rules: { keepsOpen: true } }

async function scenery(t: TestContext) {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: true })
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  return { scene: new StoreHarness(store, project.id), url: database.directUrl, query: database.query }
}

/** Begins `second` while `first` is about to commit, and lets both end. */
async function beside<T>(
  barrier: CommitBarrier,
  first: () => Promise<T>,
  second: () => Promise<unknown>,
): Promise<T> {
  try {
    const begun = first()
    await barrier.waiting(1)
    const other = second()
    await Promise.race([other, barrier.waiting(2)])
    await barrier.open()
    await other
    return await begun
  } finally {
    await barrier.remove()
  }
}

type Made = { scene: StoreHarness; channel: { id: number; uuid: string } }

const ENABLES: [string, (made: Made) => Promise<() => Promise<unknown>>][] = [
  [
    'its channel is enabled',
    async ({ scene: { store, now }, channel: { id } }) => {
      await store.channels.setEnabled(id, false, now)
      return () => store.channels.setEnabled(id, true, now)
    },
  ],
  [
    'its disabled channel is edited',
    async ({ scene: { store, now, projectId }, channel: { id } }) => {
      await store.channels.setEnabled(id, false, now)
      const edit = { id, projectId, name: 'A', settings: {}, members: [], now }
      return () => store.channels.update(edit)
    },
  ],
  [
    'a group of its channel is enabled',
    async ({ scene, channel }) => {
      const { id } = await scene.addChannel('G', {}, [channel.uuid])
      await scene.store.channels.assign({ ...scene, id: channel.id, checks: [] })
      await scene.store.channels.setEnabled(id, false, scene.now)
      return () => scene.store.channels.setEnabled(id, true, scene.now)
    },
  ],
  [
    'its channel becomes a member of a group',
    async ({ scene, channel }) => {
      const { now, projectId } = scene
      const { uuid } = await scene.addChannel('B')
      const { id } = await scene.addChannel('G', {}, [uuid])
      await scene.store.channels.assign({ ...scene, id: channel.id, checks: [] })
      const edit = { id, projectId, name: 'G', settings: {}, members: [channel.uuid], now }
      return () => scene.store.channels.update(edit)
    },
  ],
]

for (const [way, prepare] of ENABLES) {
  test(`a check that goes down while ${way} is alerted`, onOneServer, async t => {
    const { scene, url } = await scenery(t)
    await scene.ping('backup')
    const channel = await scene.addChannel('A')
    const enable = await prepare({ scene, channel })
    const barrier = await CommitBarrier.raise(url, 'flips', 'INSERT')
    await beside(barrier, () => scene.ping('backup', 'fail'), enable)
    const sent = (await scene.claim()).filter(message => message.channel.id === channel.id)
    assert.equal(sent.length, 1)
  })
}

const ENDS: [string, (scene: StoreHarness, uuid: string) => Promise<unknown>][] = [
  ['is deleted', ({ store, projectId, now }, uuid) => store.checks.delete(projectId, uuid, now)],
  ['is cleared', ({ store, projectId, now }, uuid) => store.pings.clearEvents(projectId, uuid, now)],
  [
    'is moved',
    async ({ store, projectId, now }, uuid) => {
      const { id } = await store.projects.create({ name: 'Other', ownerId: null, pingKey: 'other', now: 1 })
      await store.checks.move({ projectId, uuid, targetId: id, now })
    },
  ],
]

for (const [way, end] of ENDS) {
  test(`a check that ${way} while its down alert is claimed leaves no incident open`, async t => {
    const { scene, url } = await scenery(t)
    await scene.addChannel('A')
    await scene.ping('backup')
    const [uuid] = await scene.checkUuids()
    await scene.store.checks.update(scene.projectId, uuid!, { changes: {}, channels: '*', now: scene.now })
    await scene.ping('backup', 'fail')
    const barrier = await CommitBarrier.raise(url, 'deliveries', 'UPDATE')
    const [down] = await beside(
      barrier,
      () => scene.claim('me', INCIDENTS),
      () => end(scene, uuid!),
    )
    await scene.settle(down!, 'sent')
    scene.now += 60_000
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
  })
}

/** A check that a channel is to hear of through a group, and the group. */
async function behindGroup(scene: StoreHarness) {
  await scene.ping('backup')
  const channel = await scene.addChannel('A')
  const group = await scene.addChannel('G', {}, [channel.uuid])
  await scene.store.channels.assign({ ...scene, id: channel.id, checks: [] })
  return { channel, group }
}

const sentThrough = async (scene: StoreHarness, id: number) =>
  (await scene.claim('me', INCIDENTS)).filter(message => message.channel.id === id).length

for (const enabledFirst of [false, true]) {
  const order = enabledFirst ? 'just before' : 'just after'
  test(`a check whose group is enabled ${order} its end is settled is sent again`, async t => {
    const { scene, url } = await scenery(t)
    const { channel, group } = await behindGroup(scene)
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup down'])
    await scene.store.channels.setEnabled(group.id, false, scene.now)
    const [closing] = await scene.claim('me', INCIDENTS)
    const both = [
      () => scene.settle(closing!, 'sent'),
      async () => void (await scene.store.channels.setEnabled(group.id, true, scene.now)),
    ] as const
    const [first, second] = enabledFirst ? [both[1], both[0]] : both
    const barrier = await CommitBarrier.raise(url, 'channels', 'UPDATE')
    await beside(barrier, first, second)
    assert.equal(await sentThrough(scene, channel.id), 1)
  })
}

const STORED: [string, (made: Made) => Promise<() => Promise<unknown>>][] = [
  [
    'its check goes down',
    async ({ scene }) =>
      () =>
        scene.ping('backup', 'fail'),
  ],
  [
    'it is enabled',
    async ({ scene, channel: { id } }) => {
      const { store, now } = scene
      await store.channels.setEnabled(id, false, now)
      await scene.ping('backup', 'fail')
      return () => store.channels.setEnabled(id, true, now)
    },
  ],
  [
    'another is disabled',
    async ({ scene, channel: { id } }) => {
      const other = await scene.addChannel('B')
      await scene.store.channels.assign({ ...scene, id, checks: [] })
      await scene.ping('backup', 'fail')
      const messages = await scene.claim()
      const message = messages.find(({ channel }) => channel.id === other.id)!
      const disabled = { type: 'notice' as const, title: 'B was disabled', text: '', url: '' }
      return () => scene.settle(message, { type: 'failed', error: 'gone', disabled })
    },
  ],
]

for (const [way, prepare] of STORED) {
  test(`nothing stays behind of a channel that is deleted while ${way}`, async t => {
    const { scene, url, query } = await scenery(t)
    await scene.ping('backup')
    const channel = await scene.addChannel('A')
    const stores = await prepare({ scene, channel })
    const barrier = await CommitBarrier.raise(url, 'deliveries', 'INSERT')
    await beside(barrier, stores, () => scene.store.channels.delete(channel.id, scene.now))
    assert.deepEqual(await query(`SELECT id FROM channels WHERE id = ${channel.id}`), [])
    assert.deepEqual(await query(`SELECT id FROM deliveries WHERE channel_id = ${channel.id}`), [])
  })
}
