/** A row that cannot be written, because its page is damaged or of a bug, delays nobody else's alerts. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../src/integrations/fields.js'
import { webhook } from '../../src/integrations/kinds/webhook/webhook.js'
import { escalationJob } from '../../src/jobs/escalation.js'
import { goingDownJob } from '../../src/jobs/going-down.js'
import { type Clock, systemClock } from '../../src/lib/clock.js'
import type { Failed } from '../../src/storage/set-aside.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { type BadRow, breakRow } from '../_support/worlds/bad-row.js'
import { startDispatcher } from '../_support/worlds/dispatcher.js'
import { openFreshStore } from '../_support/worlds/store.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'

const MINUTE = 60_000
const OTHERS = ['a', 'b', 'c', 'd', 'e']
const ALL = ['bad', ...OTHERS]

/** Projects with a webhook each, a webhook that a policy reaches after ten minutes, and the jobs that alert. */
async function open(t: TestContext) {
  const receiver = await openRecorder(t)
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const begun = Date.now()
  const projects = new Map<string, StoreHarness>()
  for (const name of ALL) {
    const { id } = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    const project = new StoreHarness(store, id, begun, name)
    const add = (channel: string) =>
      project.addChannel(
        `${name} ${channel}`,
        checkSettings(webhook, { url_down: `${receiver.url}/${name}/${channel}/$NAME` }),
      )
    await add('chat')
    projects.set(name, project)
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const aside: string[] = []
  const onSetAside = ({ what, id }: Failed) => aside.push(`${what} ${id}`)

  /** A check of each of these projects goes down now, because it was not pinged. */
  async function addSilent(names: readonly string[], slug: string): Promise<void> {
    for (const name of names) {
      const { projectId } = projects.get(name)!
      const changes = { name: slug, slug, periodSeconds: 60, graceSeconds: 60 }
      await store.checks.create(projectId, { changes, unique: null, channels: '*', now: 1 })
      const project = projects.get(name)!
      project.now = Date.now() - 2 * MINUTE
      await project.ping(slug)
    }
    store.changes.emit('deadline', { at: Date.now() })
  }

  async function ping(names: readonly string[], slug: string, action: 'success' | 'fail'): Promise<void> {
    for (const name of names) {
      const project = projects.get(name)!
      project.now = Date.now()
      await project.ping(slug, action)
    }
  }

  /** Gives each project a policy whose second step is another webhook. */
  async function usePolicies(): Promise<void> {
    for (const [name, project] of projects) {
      const url = `${receiver.url}/${name}/phone/$NAME`
      const phone = await project.addChannel('phone', checkSettings(webhook, { url_down: url }))
      const assigned = { id: phone.id, projectId: project.projectId, checks: [], now: begun }
      await store.channels.assign(assigned)
      const steps = [
        { after: 0, channels: 'check' as const },
        { after: 600, channels: [phone.uuid] },
      ]
      const policy = { name: 'On call', isDefault: true, steps, repeat: null, now: begun }
      await store.incidents.createPolicy(project.projectId, policy)
    }
  }

  let setAside = () => 0

  /** `clock`: the one by which messages are claimed. */
  function start(clock: Clock = systemClock) {
    const goingDown = goingDownJob({
      store,
      own: null,
      changes: store.changes,
      clock: systemClock,
      onBug: assert.fail,
      onUnheard: () => {},
      onSetAside,
      onError,
    })
    const escalation = escalationJob({ store, clock: systemClock, onSetAside, onError })
    const dispatcher = startDispatcher({ store }, 'me', clock)
    setAside = () => goingDown.setAside() + escalation.setAside()
    goingDown.start()
    escalation.start()
    t.after(async () => {
      await Promise.all([goingDown.stop(), escalation.stop(), dispatcher.stop()])
    })
    return dispatcher
  }

  /** Makes writes of rows fail until the end of the test, or until the returned function is called. */
  async function breaks(row: BadRow): Promise<() => Promise<void>> {
    const mend = await breakRow(raw, row)
    let isMended = false
    const once = async () => {
      if (!isMended) await mend()
      isMended = true
    }
    t.after(once)
    return once
  }

  const arrived = (path: string) => receiver.requests.filter(({ url }) => url === path).length
  const haveArrived = (names: readonly string[], rest: string) =>
    eventually(() => names.every(name => arrived(`/${name}/${rest}`) === 1))
  /** The ID of the first row of a query. */
  const idOf = async (sql: string) => Number((await raw(sql))[0]!.id)
  return {
    raw,
    errors,
    aside,
    addSilent,
    ping,
    usePolicies,
    start,
    breaks,
    arrived,
    haveArrived,
    idOf,
    setAside: () => setAside(),
  }
}

type World = Awaited<ReturnType<typeof open>>

const checkOf = ({ idOf }: World, slug = 'job') =>
  idOf(`SELECT d.check_id AS id FROM check_details d JOIN projects p ON p.id = d.project_id
    WHERE p.name = 'bad' AND d.slug = '${slug}'`)

const channelOf = ({ idOf }: World) => idOf(`SELECT id FROM channels WHERE name = 'bad chat'`)

for (const [on, table, key] of [
  ['UPDATE', 'checks', 'OLD.id'],
  ['INSERT', 'flips', 'NEW.check_id'],
  ['INSERT', 'deliveries', 'NEW.check_id'],
] as const) {
  test(`a check that cannot go down for its row of ${table} delays no other check`, async t => {
    const world = await open(t)
    await world.addSilent(ALL, 'job')
    const mend = await world.breaks({ on, table, when: `${key} = ${await checkOf(world)}` })
    world.start()
    await world.haveArrived(OTHERS, 'chat/job')
    // Of the same project, too.
    await world.addSilent(ALL, 'second')
    await world.haveArrived(ALL, 'chat/second')
    assert.equal(world.arrived('/bad/chat/job'), 0)
    assert.deepEqual([...new Set(world.aside)], [`check ${await checkOf(world)}`])
    await mend()
    await world.haveArrived(ALL, 'chat/job')
    await eventually(() => world.setAside() === 0)
    assert.deepEqual(world.errors, [])
  })
}

for (const [on, table, key] of [
  ['UPDATE', 'deliveries', 'OLD.channel_id'],
  ['INSERT', 'notifications', 'NEW.channel_id'],
] as const) {
  test(`a message that cannot be claimed for its row of ${table} delays no other project`, async t => {
    const world = await open(t)
    await world.ping(ALL, 'job', 'fail')
    const mend = await world.breaks({ on, table, when: `${key} = ${await channelOf(world)}` })
    const dispatcher = world.start()
    await world.haveArrived(OTHERS, 'chat/job')
    await world.ping(OTHERS, 'second', 'fail')
    dispatcher.wake()
    await world.haveArrived(OTHERS, 'chat/second')
    assert.equal(world.arrived('/bad/chat/job'), 0)
    const delivery = await world.idOf(
      `SELECT id FROM deliveries WHERE channel_id = ${await channelOf(world)}`,
    )
    assert.deepEqual(
      [...new Set(dispatcher.aside.map(({ what, id }) => `${what} ${id}`))],
      [`delivery ${delivery}`],
    )
    await mend()
    await world.haveArrived(ALL, 'chat/job')
    await eventually(() => dispatcher.setAside() === 0)
    assert.deepEqual([...world.errors, ...dispatcher.errors], [])
  })
}

test('a message that was sent and cannot be settled for its row is sent once', async t => {
  const world = await open(t)
  await world.ping(ALL, 'job', 'fail')
  const when = `OLD.check_id = ${await checkOf(world)}`
  const mend = await world.breaks({ on: 'DELETE', table: 'deliveries', when })
  const clock = new FakeClock(Date.now())
  const dispatcher = world.start(clock)
  await world.haveArrived(ALL, 'chat/job')
  await eventually(() => dispatcher.errors.length + dispatcher.setAside() > 0)
  // Its claim runs out.
  clock.advance(11)
  await world.ping(['bad'], 'second', 'fail')
  dispatcher.wake()
  await world.haveArrived(['bad'], 'chat/second')
  assert.equal(world.arrived('/bad/chat/job'), 1)
  assert.equal(dispatcher.setAside(), 1)
  await mend()
  await eventually(async () => (await world.raw('SELECT id FROM deliveries')).length === 0)
  await eventually(() => dispatcher.setAside() === 0)
  assert.equal(world.arrived('/bad/chat/job'), 1)
  assert.deepEqual(dispatcher.errors, [])
})

test('a policy that cannot go on for its row delays no other incident', async t => {
  const world = await open(t)
  await world.ping(ALL, 'job', 'success')
  await world.usePolicies()
  await world.ping(ALL, 'job', 'fail')
  // As if all had failed a while ago.
  await world.raw(`UPDATE incident_channels SET look_at = 1, clock_at = clock_at - ${20 * MINUTE}`)
  const when = `OLD.check_id = ${await checkOf(world)}`
  const mend = await world.breaks({ on: 'UPDATE', table: 'incident_channels', when })
  world.start()
  await world.haveArrived(OTHERS, 'phone/job')
  assert.equal(world.arrived('/bad/phone/job'), 0)
  assert.match(world.aside.join(), /^incident \d+$/)
  await mend()
  await world.haveArrived(ALL, 'phone/job')
  await eventually(() => world.setAside() === 0)
  assert.deepEqual(world.errors, [])
})
