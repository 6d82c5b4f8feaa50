import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MOST_GROUP_MEMBERS } from '../../../src/core/projects/most-channels.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const PER_GROUP = 100
const REFUSED = { code: 'limit', message: /2000 members/ }

test('the groups of a project can have only so many members together', async t => {
  const { alice, addProject, members } = await openWorld(t)
  await fill(alice, members, MOST_GROUP_MEMBERS - 1)
  await assert.rejects(alice.addChannel('Two more', {}, members.slice(0, 2)), REFUSED)
  const last = await alice.addChannel('Last', {}, members.slice(0, 1))
  await assert.rejects(alice.addChannel('One more', {}, members.slice(0, 1)), REFUSED)
  await assert.rejects(change(alice, last.id, members.slice(0, 2)), REFUSED)
  assert.equal(await change(alice, last.id, members.slice(1, 2)), true)
  const bob = await addProject('bob')
  const { uuid } = await bob.addChannel('Own')
  await bob.addChannel('Group', {}, [uuid])
})

test('a group whose project has more members, which were imported, can be changed but not grow', async t => {
  const { alice, members, raw } = await openWorld(t)
  await fill(alice, members, MOST_GROUP_MEMBERS)
  const { id } = await alice.addChannel('Group')
  await raw(
    `INSERT INTO group_members (group_id, member_id) SELECT ${id}, id FROM channels WHERE kind = 'webhook' AND id <> ${id} ORDER BY id LIMIT 3`,
  )
  assert.equal(await change(alice, id, members.slice(5, 8)), true)
  await assert.rejects(change(alice, id, members.slice(5, 9)), REFUSED)
  assert.equal(await change(alice, id, members.slice(5, 7)), true)
})

test('groups that are created at the same time have only so many members together', async t => {
  const { alice, members } = await openWorld(t)
  await fill(alice, members, MOST_GROUP_MEMBERS - 1)
  const created = await Promise.allSettled(
    ['A', 'B', 'C'].map(name => alice.addChannel(name, {}, members.slice(0, 1))),
  )
  const outcomes = created.map(({ status }) => status).toSorted()
  assert.deepEqual(outcomes, ['fulfilled', 'rejected', 'rejected'])
})

test('a channel that is reached in several ways is alerted once, through the first that is enabled', async t => {
  const { alice, members, raw } = await openWorld(t)
  const [direct, inGroups, inDisabled] = members as [string, string, string]
  const disabled = await alice.addChannel('Disabled', {}, [direct, inGroups, inDisabled])
  const first = await alice.addChannel('First', {}, [direct, inGroups])
  const second = await alice.addChannel('Second', {}, [direct, inGroups])
  await alice.store.channels.setEnabled(disabled.id, false, alice.now)
  const groups = [disabled, first, second].map(({ uuid }) => uuid)
  const { check } = await alice.store.checks.create(alice.projectId, {
    changes: {},
    channels: [direct, ...groups].join(','),
    unique: null,
    now: 1,
  })
  const { outcomes } = await alice.store.pings.record([
    arrivedPing({ uuid: check.uuid }, alice.now, { action: 'fail' }),
  ])
  assert.deepEqual(outcomes, ['ok'])
  const rows = await raw(
    'SELECT c.uuid, d.group_id FROM deliveries d JOIN channels c ON c.id = d.channel_id ORDER BY c.id',
  )
  assert.deepEqual(
    rows.map(({ uuid, group_id }) => [uuid, group_id === null ? null : Number(group_id)]),
    [
      [direct, null],
      [inGroups, first.id],
    ],
  )
})

/** Adds groups that have `count` members together. */
async function fill(harness: StoreHarness, members: readonly string[], count: number): Promise<void> {
  for (let left = count; left > 0; left -= PER_GROUP)
    await harness.addChannel(`Group ${left}`, {}, members.slice(0, Math.min(left, PER_GROUP)))
}

async function change({ store, projectId, now }: StoreHarness, id: number, members: readonly string[]) {
  return await store.channels.update({ id, projectId, name: 'G', settings: {}, members, now })
}

/** Alice's project has channels that can be members of groups. */
async function openWorld(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const addProject = async (name: string) => {
    const { id } = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    return new StoreHarness(store, id, undefined, name)
  }
  const alice = await addProject('alice')
  const members: string[] = []
  while (members.length < PER_GROUP) members.push((await alice.addChannel(`${members.length}`)).uuid)
  return { alice, addProject, members, raw }
}
