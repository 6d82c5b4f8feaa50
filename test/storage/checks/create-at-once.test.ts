/** Checks of one project that are asked for at once: each has its own answer and its own error. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { actingStore } from '../../../src/storage/events/acting.js'
import { openFreshStore } from '../../_support/worlds/store.js'

async function openWorld(t: TestContext, checkLimit = 1_000) {
  const { store, raw, remove } = await openFreshStore({ checkLimit })
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: null, now: 1 })
  const { id: projectId } = project
  const channel = async (name: string) => {
    const made = { projectId, name, kind: 'webhook', settings: {}, members: [], now: 1 }
    return (await store.channels.create(made)).uuid
  }
  const create = (name: string, channels?: string) =>
    store.checks.create(projectId, { changes: { name }, channels, unique: null, now: 1 })
  /** How many checks there are, by each table, and by the project. */
  const counts = async () => {
    const rows = await raw(`SELECT (SELECT count(*) FROM checks) AS states,
      (SELECT count(*) FROM check_details) AS details, (SELECT n_checks FROM projects) AS counted`)
    return Object.values(rows[0]!).map(Number)
  }
  return { store, raw, projectId, channel, create, counts }
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `check ${n}`)

test('checks that are created at once each have their own names and are all counted', async t => {
  const { store, projectId, create, counts } = await openWorld(t)
  const made = await Promise.all(names(80).map(name => create(name)))
  assert.deepEqual(
    made.map(({ check }) => check.name),
    names(80),
  )
  assert.equal(new Set(made.map(({ check }) => check.badgeKey)).size, 80)
  for (const { check } of made) {
    const { check: found } = await store.checks.withChannels(projectId, { uuid: check.uuid }, 1)
    assert.equal(found.name, check.name)
  }
  assert.deepEqual(await counts(), [80, 80, 80])
})

test('of checks that are created at once, those beyond the limit are refused', async t => {
  const { create, counts, raw } = await openWorld(t, 50)
  const made = await Promise.allSettled(names(80).map(name => create(name)))
  const refused = made.filter(result => result.status === 'rejected')
  assert.equal(refused.length, 30)
  for (const { reason } of refused)
    assert.equal(reason.message, 'the account has reached its limit of 50 checks')
  assert.deepEqual(await counts(), [50, 50, 50])
  const stored = await raw('SELECT name FROM check_details ORDER BY check_id')
  assert.deepEqual(
    stored.map(({ name }) => name),
    names(50),
  )
  assert.equal((await create('late').catch(error => error)).code, 'limit')
})

test('a check for unknown channels is refused, and those created with it are not', async t => {
  const { channel, create, counts } = await openWorld(t)
  const [one, two] = [await channel('one'), await channel('two')]
  const asked = ['one', 'nobody', 'two', '', 'one,two', 'nobody', '*', 'one']
  const made = await Promise.allSettled(asked.map(channels => create(channels, channels)))
  assert.deepEqual(
    made.map(result =>
      result.status === 'fulfilled' ? result.value.channels.toSorted() : result.reason.message,
    ),
    [
      [one],
      'invalid channel identifier: nobody',
      [two],
      [],
      [one, two].toSorted(),
      'invalid channel identifier: nobody',
      [one, two].toSorted(),
      [one],
    ],
  )
  assert.deepEqual(await counts(), [6, 6, 6])
})

test('of checks that are created at once, a refused one takes no place of the limit', async t => {
  const { create, counts } = await openWorld(t, 2)
  const made = await Promise.allSettled([create('a', 'nobody'), create('b'), create('c'), create('d')])
  assert.deepEqual(
    made.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(await counts(), [2, 2, 2])
})

test('checks that are created at once have an event each, in order, by who asked for it', async t => {
  const { store, raw, projectId, channel } = await openWorld(t)
  const one = await channel('one')
  const steps = [{ after: 0, channels: 'check' as const }]
  const policy = await store.incidents.createPolicy(projectId, {
    name: 'P',
    isDefault: false,
    steps,
    repeat: null,
    now: 1,
  })
  const createAs = (name: string, asked: { changes: CheckChanges; channels?: string; policy?: string }) =>
    actingStore(store, { kind: 'token', id: name, name, address: null }).checks.create(projectId, {
      refusesRules: true,
      ...asked,
      unique: null,
      now: 7,
    })
  const made = await Promise.allSettled([
    createAs('Ann', { changes: { name: 'a', tags: 'x y', periodSeconds: 120 }, channels: 'one' }),
    createAs('Bob', { changes: { name: 'b', schedule: '0 4 * * *' }, policy: 'P' }),
    createAs('Bob', { changes: { minDurationSeconds: 9, maxDurationSeconds: 3 } }),
    createAs('Cid', { changes: {}, policy: 'nothing' }),
    createAs('Cid', { changes: { desc: 'x'.repeat(3_000) } }),
  ])
  const refused = made.flatMap(result => (result.status === 'rejected' ? [result.reason.field] : []))
  assert.deepEqual(refused, ['minDurationSeconds', 'policy'])
  const uuids = made.flatMap(result => (result.status === 'fulfilled' ? [result.value.check.uuid] : []))
  const events = await raw(`SELECT * FROM events WHERE type = 'check.created' ORDER BY id`)
  assert.deepEqual(
    events.map(({ object_id, object_name, actor, before, after, created_at }) => [
      object_id,
      object_name,
      JSON.parse(String(actor)).name,
      before,
      JSON.parse(String(after)),
      Number(created_at),
    ]),
    [
      [uuids[0], 'a', 'Ann', null, { name: 'a', tags: ['x', 'y'], period: 120, channels: [one] }, 7],
      [uuids[1], 'b', 'Bob', null, { kind: 'cron', name: 'b', schedule: '0 4 * * *', policy: 'P' }, 7],
      [uuids[2], '', 'Cid', null, { name: '', desc: `${'x'.repeat(2_000)}… (3000 characters)` }, 7],
    ],
  )
  assert.equal(await store.incidents.policyOf(uuids[1]!), policy.id)
  const { channels } = await store.checks.withChannels(projectId, { uuid: uuids[0]! }, 7)
  assert.deepEqual(channels, [one])
})

test('the IDs of checks that are created at once follow each other, and are not used again', async t => {
  const { store, raw, projectId, create } = await openWorld(t)
  const ids = async () => (await raw('SELECT id FROM checks ORDER BY id')).map(({ id }) => Number(id))
  const made = await Promise.all(names(3).map(name => create(name)))
  const [first] = await ids()
  await store.checks.delete(projectId, made[2]!.check.uuid, 1)
  await Promise.all(names(2).map(name => create(name)))
  assert.deepEqual(
    (await ids()).map(id => id - first!),
    [0, 1, 3, 4],
  )
})
