/** A log that takes no rows because it is broken: what the database calls a broken rule is no fault of the ping's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTemporary } from '../../../src/actions/pings/ping-refusals.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { Changes } from '../../../src/lib/changes.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'

const T = 1_800_000_000_000

test('pings refused by a broken table hold later deadlines until all can be recorded', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: T })
  const queue = new PingQueue(store, new Changes(), assert.fail, undefined, { now: () => T + 200 })
  const ping = (at: number) => queue.record(arrivedPing({ pingKey: 'key', slug: 'backup', create: true }, at))
  await ping(T)
  await raw('CREATE UNIQUE INDEX broken ON pings (check_id, kind)')
  await assert.rejects(ping(T + 100), /UNIQUE|broken/)
  await queue.settled()
  assert.equal(queue.hearing.heardUntil(T + 9_000), T + 100)
  await raw('DROP INDEX broken')
  await ping(T + 9_400)
  assert.deepEqual(queue.hearing.missed.over(), [], 'others may fail still')
  await store.pings.probe(T + 9_500)
  queue.hearing.missed.committed(T + 9_500)
  assert.deepEqual(queue.hearing.missed.over(), [{ from: T + 100, to: T + 9_400 }])
})

const skip = engine !== 'postgres' && 'a trigger on PostgreSQL chooses its SQLSTATE'
test('pings refused by a trigger as if for their text are asked for again, and hold later deadlines', {
  skip,
}, async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: T })
  const queue = new PingQueue(store, new Changes(), assert.fail, undefined, { now: () => T + 200 })
  const ping = (at: number) => queue.record(arrivedPing({ pingKey: 'key', slug: 'backup', create: true }, at))
  await ping(T)
  await raw(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '22021'; END $$`)
  await raw('CREATE TRIGGER refuse BEFORE INSERT ON pings FOR EACH ROW EXECUTE FUNCTION refuse()')
  await assert.rejects(ping(T + 100), error => isTemporary(error))
  await queue.settled()
  assert.equal(queue.hearing.heardUntil(T + 9_000), T + 100)
  await raw('DROP TRIGGER refuse ON pings')
  await ping(T + 9_400)
  assert.deepEqual(queue.hearing.missed.over(), [], 'others may fail still')
  await store.pings.probe(T + 9_500)
  queue.hearing.missed.committed(T + 9_500)
  assert.deepEqual(queue.hearing.missed.over(), [{ from: T + 100, to: T + 9_400 }])
})

const BREAKS: [what: string, breaks: string, mends: string][] = [
  [
    'pings by slug',
    'ALTER TABLE projects RENAME COLUMN ping_key TO broken',
    'ALTER TABLE projects RENAME COLUMN broken TO ping_key',
  ],
  [
    'what checks are called',
    'ALTER TABLE check_details RENAME TO broken',
    'ALTER TABLE broken RENAME TO check_details',
  ],
  ['changes of status', 'ALTER TABLE flips RENAME TO broken', 'ALTER TABLE broken RENAME TO flips'],
]

for (const [what, breaks, mends] of BREAKS)
  test(`all pings can be recorded only if ${what} can be found`, async t => {
    const { store, raw, remove } = await openFreshStore()
    t.after(remove)
    await store.pings.probe(T)
    await raw(breaks)
    await assert.rejects(store.pings.probe(T)).finally(() => raw(mends))
    await store.pings.probe(T)
  })
