import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addChannel } from '../../../src/actions/channels/add-channel.js'
import { changeChannel } from '../../../src/actions/channels/change-channel.js'
import { deleteChannel } from '../../../src/actions/channels/delete-channel.js'
import { renameChannel } from '../../../src/actions/channels/rename-channel.js'
import { FakeClock } from '../../_support/clock.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

async function open(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { store } = scene
  const bob = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bobs', now: 1 })
  const add = (kind: string, settings: Record<string, string>, projectId = scene.projectId) =>
    addChannel(store, new FakeClock(), { projectId, kind, name: kind, settings, asker: null, by: null })
  return { scene, store, bob, add }
}

const url_down = 'https://example.org/'

test('a new channel is linked to its project’s checks, and to no others', async t => {
  const { scene, store, bob, add } = await open(t)
  await scene.ping('job')
  await scene.ping('job', 'success', { target: { pingKey: 'bobs', slug: 'job', create: true } })
  const { uuid } = await add('webhook', { url_down })
  const channelsOf = async (projectId: number) => {
    const viewer = { projectId, version: 3, access: 'rw', now: scene.now } as const
    const json = await store.checks.showList(viewer, { slug: null, tags: [] })
    return JSON.parse(Buffer.from(json).toString()).checks[0].channels
  }
  assert.equal(await channelsOf(scene.projectId), uuid)
  assert.equal(await channelsOf(bob.id), '')
})

test('the members of a group are channels of its project, and not groups', async t => {
  const { scene, store, bob, add } = await open(t)
  const mine = await add('webhook', { url_down })
  const foreign = await add('webhook', { url_down }, bob.id)
  const group = await add('group', { members: mine.uuid })
  const channels = await store.channels.list(scene.projectId)
  assert.deepEqual(
    channels.map(channel => [channel.kind, channel.members]),
    [
      ['webhook', []],
      ['group', [mine.uuid]],
    ],
  )
  await assert.rejects(add('group', { members: foreign.uuid }), /the project has no channel/)
  await assert.rejects(add('group', { members: group.uuid }), /has members itself/)
})

test('a deleted channel leaves the groups that it was in', async t => {
  const { store, add } = await open(t)
  const [first, second] = [await add('webhook', { url_down }), await add('webhook', { url_down })]
  const group = await add('group', { members: `${first.uuid},${second.uuid}` })
  const { id } = (await store.channels.find(first.uuid))!
  await deleteChannel(store, id, 1)
  assert.equal(await store.channels.find(first.uuid), null)
  assert.deepEqual((await store.channels.find(group.uuid))!.members, [second.uuid])
  await assert.rejects(deleteChannel(store, id, 1), /does not exist any more/)
})

test('deleting a channel deletes its waiting deliveries', async t => {
  const { scene, store, add } = await open(t)
  await scene.ping('job')
  const { uuid } = await add('webhook', { url_down })
  await scene.ping('job', 'fail')
  await deleteChannel(store, (await store.channels.find(uuid))!.id, 1)
  assert.deepEqual(await scene.claim(), [])
})

test('a channel can be renamed, with at most 100 characters', async t => {
  const { store, add } = await open(t)
  const { uuid } = await add('webhook', { url_down })
  const { id } = (await store.channels.find(uuid))!
  await renameChannel(store, id, ' Ops ', 1)
  assert.equal((await store.channels.find(uuid))!.name, 'Ops')
  await assert.rejects(renameChannel(store, id, 'x'.repeat(101), 1), /at most 100 characters/)
  await deleteChannel(store, id, 1)
  await assert.rejects(renameChannel(store, id, 'Gone', 1), /does not exist any more/)
})

/** Something happens to a channel after a change of it was begun, before it is stored. */
async function changedMeanwhile(
  t: TestContext,
  settings: Record<string, string>,
  meanwhile: (scene: StoreHarness, uuid: string) => Promise<unknown>,
) {
  const { scene, store, add } = await open(t)
  const { uuid } = await add('email', { value: 'boss@example.org', up: 'true', down: 'true' })
  let done = false
  const channels = Object.create(store.channels, {
    update: {
      value: async (change: Parameters<typeof store.channels.update>[0]) => {
        if (!done) await meanwhile(scene, uuid)
        done = true
        return await store.channels.update(change)
      },
    },
  })
  const edit = { uuid, name: 'Renamed', settings, kept: [], asker: ASKER, by: null }
  await changeChannel({ ...store, channels }, edit, scene.now)
  return (await store.channels.find(uuid))!
}

const ASKER = { uuid: 'me', email: 'me@example.org', emailProven: true }
const BOSS = { value: 'boss@example.org', up: 'true', down: 'true' }

test('a recipient who unsubscribes during a change of the channel stays unsubscribed', async t => {
  const changed = await changedMeanwhile(t, BOSS, async ({ store, now }, uuid) => {
    const { settings } = (await store.channels.find(uuid))!
    assert.equal(await store.channels.unsubscribe({ uuid, settings, confirms: true, now }), true)
  })
  assert.equal(changed.confirmed, false)
  assert.equal(changed.name, 'Renamed')
})

test('of two changes at the same time, none takes the consent that the other one asked for', async t => {
  const changed = await changedMeanwhile(t, BOSS, async ({ store, now, projectId }, uuid) => {
    const { id } = (await store.channels.find(uuid))!
    const settings = { ...BOSS, value: 'other@example.org' }
    await store.channels.update({
      id,
      projectId,
      name: 'Moved',
      settings,
      members: [],
      confirmed: false,
      now,
    })
  })
  assert.equal(changed.settings.value, 'boss@example.org')
  assert.equal(changed.confirmed, false)
})
