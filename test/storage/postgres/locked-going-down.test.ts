/** Checks that go down while another transaction has locked what the alerts of one of them need. Decision 0157. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'
import type { StoreHarness } from '../../_support/worlds/store-harness.js'

const SECOND = 1_000
const TWO_MINUTES = 120_000

/** What is locked: a row of a table. Alice's check is linked to the channel `own`. */
type Prepare = (alice: StoreHarness, own: Channel) => Promise<number>
type Channel = { id: number; uuid: string }

const CHANNELS: [string, Prepare][] = [
  ['its channel', async (_, { id }) => id],
  [
    'a member of its group',
    async (alice, { id, uuid }) => {
      await alice.addChannel('Group', {}, [uuid])
      await unlink(alice, id)
      return id
    },
  ],
  [
    'its group',
    async (alice, { id, uuid }) => {
      const group = await alice.addChannel('Group', {}, [uuid])
      await unlink(alice, id)
      return group.id
    },
  ],
  [
    'a channel that its policy names',
    async alice => {
      const { id, uuid } = await addUnlinked(alice)
      await usePolicy(alice, uuid)
      return id
    },
  ],
  [
    'a member of a group that its policy names',
    async alice => {
      const { id, uuid } = await addUnlinked(alice)
      await usePolicy(alice, (await addUnlinked(alice, [uuid])).uuid)
      return id
    },
  ],
  [
    'a channel that a step of a policy has reached',
    async alice => {
      const { id, uuid } = await addUnlinked(alice)
      const policy = await usePolicy(alice, uuid)
      await alice.ping('backup', 'fail')
      await alice.store.incidents.escalate(alice.now, 100)
      await alice.ping('backup')
      await alice.store.incidents.deletePolicy(alice.projectId, policy, alice.now)
      return id
    },
  ],
]

const LOCKED: [string, string, Prepare][] = [
  ...CHANNELS.map(([what, prepare]): [string, string, Prepare] => [what, 'channels', prepare]),
  ['its project', 'projects', async ({ projectId }) => projectId],
]

for (const [what, table, prepare] of LOCKED) {
  test(`a check goes down a second later while ${what} is locked, and others at once`, async t => {
    const world = await LockedRows.open(t)
    const { alice, bob, store } = world
    await addCheck(alice, 'backup')
    const id = await prepare(alice, await alice.addChannel('Own'))
    await addCheck(bob, 'other')
    const deadline = alice.now + TWO_MINUTES
    const unlock = await world.lock(table, `id = ${id}`)
    const first = await store.alerts.declareDown(deadline, 100)
    assert.deepEqual([first.declared, await store.alerts.nextWake()], [1, deadline + SECOND])
    const second = await store.alerts.declareDown(deadline + SECOND, 100)
    assert.deepEqual([second.declared, await store.alerts.nextWake()], [0, deadline + 2 * SECOND])
    await unlock()
    const third = await store.alerts.declareDown(deadline + 2 * SECOND, 100)
    assert.deepEqual([third.declared, third.alerts, await store.alerts.nextWake()], [1, true, null])
    const flips = await world.query(`SELECT created_at::int8 AS at FROM flips WHERE reason = 'missed'`)
    assert.deepEqual(
      flips.map(({ at }) => Number(at)),
      [deadline, deadline],
    )
  })
}

test('nothing more is said to be there if all that was looked at waits for a locked channel', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  for (const name of ['first', 'second', 'third']) await addCheck(alice, name)
  const { id } = await alice.addChannel('Own')
  const deadline = alice.now + TWO_MINUTES
  const unlock = await world.lock('channels', `id = ${id}`)
  const locked = await store.alerts.declareDown(deadline, 2)
  assert.deepEqual([locked.declared, locked.more, locked.unfinished], [0, false, []])
  await unlock()
  const free = await store.alerts.declareDown(deadline + SECOND, 2)
  assert.deepEqual([free.declared, free.more, free.unfinished], [2, true, [alice.projectId]])
})

test('a check that waits for its locked channel holds the alerts of those that depend on it', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  const router = await addCheck(alice, 'router')
  const { id } = await alice.addChannel('Of the router')
  const backup = await addCheck(alice, 'backup')
  const { projectId, now } = alice
  const asked = { changes: { dependsWaitSeconds: 0 }, parents: [router], now }
  await store.checks.update(projectId, backup, asked)
  const { id: other } = await alice.addChannel('Of the backup')
  await store.channels.assign({ id: other, projectId, checks: [backup], now })
  alice.now += TWO_MINUTES
  const unlock = await world.lock('channels', `id = ${id}`)
  assert.equal((await store.alerts.declareDown(alice.now, 100)).declared, 1)
  assert.deepEqual(await alice.claim(), [], 'the router may be down as well')
  await unlock()
  alice.now += SECOND
  assert.equal((await store.alerts.declareDown(alice.now, 100)).declared, 1)
  const sent = await alice.claim()
  assert.deepEqual(
    sent.map(({ channel }) => channel.id),
    [id],
  )
})

async function addUnlinked(scene: StoreHarness, members: string[] = []): Promise<Channel> {
  const channel = await scene.addChannel('Phone', {}, members)
  await unlink(scene, channel.id)
  return channel
}

async function unlink({ store, projectId, now }: StoreHarness, id: number): Promise<void> {
  await store.channels.assign({ id, projectId, checks: [], now })
}

/** The project's policy, which alerts the channel with this UUID too. Returns its ID. */
async function usePolicy({ store, projectId, now }: StoreHarness, uuid: string): Promise<number> {
  const steps = [
    { after: 0, channels: 'check' as const },
    { after: 0, channels: [uuid] },
  ]
  const asked = { name: 'On call', isDefault: true, steps, repeat: null, now }
  return (await store.incidents.createPolicy(projectId, asked)).id
}
