/** A row that another transaction has locked for long, such as a frozen process or an operator: it delays no others. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../../../src/integrations/fields.js'
import { webhook } from '../../../../src/integrations/kinds/webhook/webhook.js'
import { isLocked } from '../../../../src/storage/errors.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { eventually } from '../../../_support/eventually.js'
import { onOneServer } from '../../../_support/servers/postgres-server.js'
import { openRecorder, type Recorder } from '../../../_support/servers/recorder.js'
import { startDispatcher } from '../../../_support/worlds/dispatcher.js'
import { LockedRows } from '../../../_support/worlds/locked-rows.js'
import { StoreHarness } from '../../../_support/worlds/store-harness.js'

const OTHERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** A project `slow`, eight others, each with a webhook, and a connection that locks rows. */
async function projects(t: TestContext, receiver: Recorder) {
  const locks = await LockedRows.open(t)
  const { store } = locks
  for (const name of ['slow', ...OTHERS]) {
    const project = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    const settings = checkSettings(webhook, { url_down: `${receiver.url}/${name}/$NAME` })
    const channel = { projectId: project.id, name, kind: 'webhook', settings, members: [], now: 1 }
    await store.channels.create(channel)
  }
  const fail = async (projects: readonly string[], slug: string) => {
    const targets = projects.map(pingKey => ({ pingKey, slug, create: true }))
    await store.pings.record(targets.map(target => arrivedPing(target, Date.now(), { action: 'fail' })))
  }
  const arrived = (path: string) => receiver.requests.filter(({ url }) => url === path).length
  const scene = new StoreHarness(store, locks.alice.projectId, Date.now())
  return { scene, locks, fail, arrived }
}

const CHANNEL = ['channels', "name = 'slow'"] as const
const LOCKED = [
  CHANNEL,
  ['deliveries', "channel_id = (SELECT id FROM channels WHERE name = 'slow')"],
] as const

for (const [table, condition] of LOCKED) {
  test(`a locked row of ${table} delays the alerts of no other project`, onOneServer, async t => {
    const receiver = await openRecorder(t)
    const { scene, locks, fail, arrived } = await projects(t, receiver)
    await fail(['slow', ...OTHERS], 'job')
    const release = await locks.lock(table, condition)
    const dispatcher = startDispatcher(scene)
    try {
      for (const slug of ['second', 'third']) {
        await fail(OTHERS, slug)
        dispatcher.wake()
        await eventually(() => OTHERS.every(name => arrived(`/${name}/${slug}`) === 1))
      }
      assert.ok(OTHERS.every(name => arrived(`/${name}/job`) === 1))
      assert.equal(arrived('/slow/job'), 0)
      await release()
      await eventually(() => dispatcher.outcomes.length === 1 + 3 * OTHERS.length)
    } finally {
      await dispatcher.stop()
    }
    assert.equal(arrived('/slow/job'), 1)
    assert.deepEqual(dispatcher.errors, [])
  })
}

test('a locked count of a monthly quota delays the alerts of no other account', onOneServer, async t => {
  const receiver = await openRecorder(t)
  const { scene, locks, fail, arrived } = await projects(t, receiver)
  const { store, query } = locks
  const [slow] = await query("SELECT id FROM projects WHERE name = 'slow'")
  const projectId = Number(slow!.id)
  for (const name of ['1', '2', '3', '4']) {
    const settings = { phone: `+1555010${name}`, down: 'true', up: 'true' }
    await store.channels.create({ projectId, name, kind: 'sms', settings, members: [], now: 1 })
  }
  assert.ok(
    await store.people.takeQuota(projectId, { name: 'messages', called: 'SMS', limit: 500 }, Date.now()),
  )
  const used = async () => Number((await query('SELECT used FROM quotas'))[0]!.used)
  const release = await locks.lock('quotas', `account = 'project ${projectId}'`)
  await fail(['slow', ...OTHERS], 'job')
  const from = performance.now()
  const dispatcher = startDispatcher(scene)
  try {
    for (const slug of ['second', 'third']) {
      await fail(OTHERS, slug)
      dispatcher.wake()
      await eventually(() => OTHERS.every(name => arrived(`/${name}/${slug}`) === 1))
    }
    assert.ok(OTHERS.every(name => arrived(`/${name}/job`) === 1))
    assert.ok(performance.now() - from < 10_000, 'none waited until the lock was given up')
    assert.equal(arrived('/slow/job'), 1, 'it is sent by other means')
    await release()
    await eventually(async () => (await used()) === 5)
  } finally {
    await dispatcher.stop()
  }
  assert.equal(await used(), 5, 'each was counted once')
  assert.deepEqual(dispatcher.errors, [])
})

test(
  'messages through a locked channel are settled once it is free, and delay no others',
  onOneServer,
  async t => {
    const answers: (() => void)[] = []
    const receiver = await openRecorder(t, ({ url }, response) => {
      if (!url.startsWith('/slow/')) return {}
      answers.push(() => response.writeHead(url === '/slow/taken' ? 200 : 400).end())
      return undefined
    })
    const { scene, locks, fail, arrived } = await projects(t, receiver)
    const slow = ['taken', 'refused-1', 'refused-2', 'refused-3', 'refused-4']
    for (const slug of slow) await fail(['slow'], slug)
    const dispatcher = startDispatcher(scene)
    try {
      await eventually(() => answers.length === slow.length)
      const release = await locks.lock(...CHANNEL)
      for (const answer of answers) answer()
      for (const slug of ['first', 'second']) {
        await fail(OTHERS, slug)
        dispatcher.wake()
        await eventually(() => OTHERS.every(name => arrived(`/${name}/${slug}`) === 1))
      }
      await eventually(() => dispatcher.outcomes.length === 2 * OTHERS.length)
      await release()
      await eventually(() => dispatcher.outcomes.length >= slow.length + 2 * OTHERS.length)
    } finally {
      await dispatcher.stop()
    }
    assert.deepEqual(dispatcher.errors, [])
    assert.equal(arrived('/slow/taken'), 1)
  },
)

test('deliveries that are locked are not waited for when their lease has run out', onOneServer, async t => {
  const receiver = await openRecorder(t)
  const { scene, locks, fail } = await projects(t, receiver)
  await fail(['slow'], 'job')
  scene.now = Date.now()
  const [message] = await scene.claim()
  const attempts = message!.parts.map(({ uuid, notificationUuid }) => ({ uuid, notificationUuid }))
  const giveBack = () => scene.store.alerts.giveBack({ worker: 'me', attempts, begun: true, now: Date.now() })
  const release = await locks.lock('deliveries', 'true')
  await assert.rejects(giveBack(), isLocked)
  await release()
  await giveBack()
  scene.now = Date.now()
  assert.equal((await scene.claim('other')).length, 1)
})
