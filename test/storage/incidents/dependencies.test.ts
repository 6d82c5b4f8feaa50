/** Dependencies and the claim, through the store. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MOST_AT_ONCE } from '../../../src/storage/incidents/release-dependants.js'
import type { Store } from '../../../src/storage/store.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

class Scene extends StoreHarness {
  readonly uuids = new Map<string, string>()

  static override async open(t: TestContext): Promise<Scene> {
    const { store, projectId } = await StoreHarness.open(t)
    return new Scene(store, projectId)
  }

  /** Checks that are up, each with a channel for all of them. */
  async checks(...slugs: string[]): Promise<void> {
    for (const slug of slugs) await this.ping(slug)
    const listed = await this.checkUuids()
    for (const [place, slug] of slugs.entries()) this.uuids.set(slug, listed.at(place - slugs.length)!)
    await this.addChannel('Chat')
  }

  async depend(slug: string, ...parents: string[]) {
    return await this.change(slug, { parents: parents.map(name => this.uuids.get(name)!) })
  }

  async change(slug: string, asked: Partial<Parameters<Store['checks']['update']>[2]>) {
    const uuid = this.uuids.get(slug)!
    return await this.store.checks.update(this.projectId, uuid, { changes: {}, now: this.now, ...asked })
  }

  /** What is sent now, as `slug status`; each is settled as sent. */
  async sent(): Promise<string[]> {
    const messages = await this.claim()
    for (const message of messages) await this.settle(message, 'sent')
    const listed = await this.store.checks.showList(
      { projectId: this.projectId, version: 3, access: 'rw', now: this.now },
      { slug: null, tags: [] },
    )
    const { checks } = JSON.parse(Buffer.from(listed).toString()) as {
      checks: { uuid: string; slug: string }[]
    }
    const facts = await Promise.all(
      messages.flatMap(({ parts }) =>
        parts.map(async ({ checkId, flipId, flip }) => {
          const found = await this.store.alerts.facts(checkId!, flipId!)
          return `${checks.find(({ uuid }) => uuid === found!.check.uuid)!.slug} ${flip!.newStatus}`
        }),
      ),
    )
    return facts.sort()
  }
}

/** A backup that went down now, before the router on which it depends: its alert waits. */
async function openWaiting(t: TestContext): Promise<Scene> {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.sent(), [])
  return scene
}

test('named test 2: a check that went down under one that is down is sent once, after that is up', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  await scene.ping('router', 'fail')
  assert.deepEqual(await scene.sent(), ['router down'])
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.sent(), [])
  scene.now += 20 * MINUTE
  assert.deepEqual(await scene.sent(), [])
  await scene.ping('router')
  const recoveredAt = scene.now
  await scene.releaseDependants()
  assert.deepEqual(await scene.sent(), ['router up'])
  scene.now = recoveredAt + 15 * MINUTE - 1
  assert.deepEqual(await scene.sent(), [])
  scene.now += 1
  assert.deepEqual(await scene.sent(), ['backup down'])
  scene.now += MINUTE
  await scene.ping('backup')
  assert.deepEqual(await scene.sent(), ['backup up'])
})

test('a check that comes up again in the time after the recovery sends nothing', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  await scene.ping('router', 'fail')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.sent(), ['router down'])
  scene.now += MINUTE
  await scene.ping('router')
  await scene.releaseDependants()
  assert.deepEqual(await scene.sent(), ['router up'])
  scene.now += MINUTE
  await scene.ping('backup')
  scene.now += 20 * MINUTE
  assert.deepEqual(await scene.sent(), [])
})

test('named test 1: a check that was reported down before its parent recovers is not sent again', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.sent(), ['backup down'])
  await scene.depend('backup', 'router')
  await scene.ping('router', 'fail')
  assert.deepEqual(await scene.sent(), ['router down'])
  scene.now += MINUTE
  await scene.ping('router')
  await scene.releaseDependants()
  assert.deepEqual(await scene.sent(), ['router up'])
  scene.now += 30 * MINUTE
  assert.deepEqual(await scene.sent(), [])
})

test('a recovery of a check that was reported down is sent although its parent is down', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  await scene.ping('backup', 'fail')
  scene.now += 5 * MINUTE
  assert.deepEqual(await scene.sent(), ['backup down'])
  await scene.ping('router', 'fail')
  await scene.ping('backup')
  assert.deepEqual(await scene.sent(), ['backup up', 'router down'])
})

test('a check that goes down first waits, and is sent when its wait is over', async t => {
  const scene = await openWaiting(t)
  scene.now += 5 * MINUTE - 1
  assert.deepEqual(await scene.sent(), [])
  scene.now += 1
  assert.deepEqual(await scene.sent(), ['backup down'])
})

test('a ping of the check that it depends on ends the wait', async t => {
  const scene = await openWaiting(t)
  scene.now += MINUTE
  await scene.ping('router')
  await scene.releaseDependants()
  assert.deepEqual(await scene.sent(), ['backup down'])
})

test('a check that waits is held when the one that it depends on goes down', async t => {
  const scene = await openWaiting(t)
  scene.now += MINUTE
  await scene.ping('router', 'fail')
  scene.now += 20 * MINUTE
  assert.deepEqual(await scene.sent(), ['router down'])
})

test('a check is held by one far above it', async t => {
  const scene = await Scene.open(t)
  await scene.checks('provider', 'router', 'backup')
  await scene.depend('router', 'provider')
  await scene.depend('backup', 'router')
  await scene.change('backup', { changes: { dependsWaitSeconds: 0 } })
  await scene.ping('provider', 'fail')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.sent(), ['provider down'])
  scene.now += MINUTE
  await scene.ping('provider')
  await scene.releaseDependants()
  scene.now += 15 * MINUTE
  assert.deepEqual(await scene.sent(), ['backup down', 'provider up'])
})

for (const [how, end] of [
  ['is paused', (scene: Scene, uuid: string) => scene.store.checks.pause(scene.projectId, uuid, scene.now)],
  ['is deleted', (scene: Scene, uuid: string) => scene.store.checks.delete(scene.projectId, uuid, scene.now)],
  ['is not depended on any more', (scene: Scene) => scene.depend('backup')],
] as const) {
  test(`what a check held is sent when it ${how}`, async t => {
    const scene = await Scene.open(t)
    await scene.checks('router', 'backup')
    await scene.depend('backup', 'router')
    await scene.ping('router', 'fail')
    await scene.ping('backup', 'fail')
    assert.deepEqual(await scene.sent(), ['router down'])
    scene.now += MINUTE
    await end(scene, scene.uuids.get('router')!)
    await scene.releaseDependants()
    assert.deepEqual(
      (await scene.sent()).filter(sent => sent.startsWith('backup')),
      ['backup down'],
    )
  })
}

test('what a dependency would have held from beginning to end is not sent, planned or not', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  await scene.ping('router', 'fail')
  assert.deepEqual(await scene.sent(), ['router down'])
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  scene.now += MINUTE
  await scene.ping('backup')
  assert.deepEqual(await scene.sent(), [], 'under one that is down')
  scene.now += MINUTE
  await scene.ping('router')
  assert.deepEqual(await scene.sent(), ['router up'])
  scene.now += 20 * MINUTE
  await scene.ping('backup', 'fail')
  scene.now += MINUTE
  await scene.ping('backup')
  assert.deepEqual(await scene.sent(), [], 'while it waits')
  await scene.ping('backup', 'fail')
  scene.now += 6 * MINUTE
  await scene.ping('backup')
  assert.deepEqual(await scene.sent(), ['backup up'], 'nothing held it at the end')
})

test('an alert that waits after its integration was enabled says for what it waits', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  const { channels } = scene.store
  const check = { uuid: scene.uuids.get('backup')! }
  const explained = async () =>
    (await scene.store.incidents.explain(scene.projectId, check, scene.now)).channels[0]!.holds
  const { uuid } = (await channels.list(scene.projectId))[0]!
  const { id } = (await channels.find(uuid))!
  await channels.setEnabled(id, false, scene.now)
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  scene.now += 10 * MINUTE
  assert.deepEqual(await explained(), [])
  await channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await scene.sent(), [])
  assert.deepEqual(
    (await explained()).map(({ name }) => name),
    ['router'],
  )
  scene.now += 5 * MINUTE
  assert.deepEqual(await scene.sent(), ['backup down'])
})

test('a check that recovered holds nothing any more once it is paused', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'switch', 'backup')
  await scene.depend('switch', 'router')
  await scene.depend('backup', 'switch')
  await scene.ping('router', 'fail')
  await scene.ping('backup', 'fail')
  scene.now += MINUTE
  await scene.ping('router')
  await scene.releaseDependants()
  scene.now += 6 * MINUTE
  assert.deepEqual(await scene.sent(), ['router up'])
  await scene.store.checks.pause(scene.projectId, scene.uuids.get('router')!, scene.now)
  await scene.releaseDependants()
  assert.deepEqual(await scene.sent(), ['backup down'])
})

test('a circle is refused with the way through it, and checks of others are not found', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'switch', 'backup')
  await scene.depend('switch', 'router')
  await assert.rejects(scene.depend('router', 'backup', 'switch'), {
    message: 'depends_on: router > switch > router',
  })
  await assert.rejects(scene.depend('router', 'router'), { message: 'depends_on: router > router' })
  const elsewhere = await scene.store.projects.create({ name: 'B', ownerId: null, pingKey: 'b', now: 1 })
  const asked = { changes: { name: 'x' }, unique: null, now: scene.now }
  const { check } = await scene.store.checks.create(elsewhere.id, asked)
  await assert.rejects(scene.change('router', { parents: [check.uuid] }), {
    message: `depends_on: no such check in the project: ${check.uuid}`,
  })
  assert.deepEqual(await scene.store.incidents.parents(scene.uuids.get('router')!), [])
})

test('two changes at once make no circle', async t => {
  const scene = await Scene.open(t)
  await scene.checks('a', 'b')
  const results = await Promise.allSettled([scene.depend('a', 'b'), scene.depend('b', 'a')])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a copy depends on the same checks, and a check that is moved on none', async t => {
  const scene = await Scene.open(t)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  const { store, projectId, now } = scene
  const [router, backup] = ['router', 'backup'].map(slug => scene.uuids.get(slug)!)
  const copy = await store.checks.copy(projectId, backup!, { name: 'Copy', slug: 'copy' }, now)
  const parents = async (uuid: string) => (await store.incidents.parents(uuid)).map(one => one.uuid)
  assert.deepEqual(await parents(copy.uuid), [router])
  const other = await store.projects.create({ name: 'B', ownerId: null, pingKey: 'b', now: 1 })
  await store.checks.move({ projectId, uuid: router!, targetId: other.id, now })
  assert.deepEqual([await parents(copy.uuid), await parents(backup!)], [[], []])
})

test('a check whose deadline waits for the end of an outage holds none that depend on it', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new Scene(store, project.id)
  await scene.checks('router', 'backup')
  await scene.depend('backup', 'router')
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  scene.now += 5 * MINUTE
  const router = `WHERE uuid = '${scene.uuids.get('router')}'`
  await raw(`UPDATE checks SET alert_after = ${scene.now - 1}, wake_at = ${scene.now - 1} ${router}`)
  assert.deepEqual(await scene.sent(), [])
  scene.now += 1_000
  await raw(`UPDATE checks SET wake_at = ${scene.now + MINUTE} ${router}`)
  assert.deepEqual(await scene.sent(), ['backup down'])
})

test('the checks on which others depend are looked at only in projects of which something is held', async t => {
  const scene = await openWaiting(t)
  const created = await scene.store.projects.create({
    name: 'B',
    ownerId: null,
    pingKey: 'other',
    now: scene.now,
  })
  const other = new Scene(scene.store, created.id, scene.now, 'other')
  await other.checks('router', 'backup')
  await other.depend('backup', 'router')
  const projects = async () => (await scene.store.incidents.parentStates()).map(({ projectId }) => projectId)
  assert.deepEqual(await projects(), [scene.projectId])
  other.now += MINUTE
  await other.ping('backup', 'fail')
  assert.deepEqual(await other.sent(), [])
  assert.deepEqual((await projects()).sort(), [scene.projectId, other.projectId].sort())
})

test('the many ended incidents of a project do not keep those of others from being found', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const open = async (name: string) =>
    (await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })).id
  const [many, one] = [await open('many'), await open('one')]
  for (let id = 1; id <= MOST_AT_ONCE + 2; id++) {
    const projectId = id <= MOST_AT_ONCE + 1 ? many : one
    await raw(`INSERT INTO incidents
      (id, project_id, check_id, opened_at, since_at, cause, down_at, flip_id, closed_at, releases)
      VALUES (${id}, ${projectId}, ${id}, 1, 1, 'fail', 1, ${id}, 2, 1)`)
  }
  const found = await store.incidents.ended(3)
  assert.equal(found.length, MOST_AT_ONCE + 1)
  assert.deepEqual(found.at(-1), {
    id: MOST_AT_ONCE + 2,
    checkId: MOST_AT_ONCE + 2,
    projectId: one,
    closedAt: 2,
  })
  assert.deepEqual(
    (await store.incidents.ended(3, [many])).map(({ projectId }) => projectId),
    [one],
  )
})
