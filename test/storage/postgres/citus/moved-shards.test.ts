/** Pings that come while shards are moved from one worker to another. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { distributePostgres } from '../../../../src/storage/postgres/migrate.js'
import { openPostgresStore } from '../../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { testSettings } from '../../../_support/worlds/store.js'
import { citusWorld, fill, onCitus } from './citus-world.js'

const now = Date.UTC(2026, 0, 15, 12)
const MOVES = 6

/** Moves the first shard to another worker. Waits for no log of changes, so that servers of all settings can do it. */
const MOVE = `
SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
  FROM citus_shards s JOIN pg_dist_node n ON n.nodeport <> s.nodeport AND n.shouldhaveshards
 WHERE s.table_name = 'checks'::regclass ORDER BY s.shardid LIMIT 1`

test('no acknowledged ping is lost while shards move', onCitus, async t => {
  const world = await citusWorld(t)
  const uuids = await world.withStore(store => fill(store, now))
  // One shard, so that every ping is concerned.
  await distributePostgres(world.url, 1)
  const [before] = await world.ask('SELECT count(*)::int AS pings FROM pings')
  const stores = await Promise.all(
    [1, 2].map(() => openPostgresStore(world.url, testSettings, { create: false })),
  )
  for (const store of stores) t.after(() => store.close())
  let isMoving = true
  let acknowledged = 0
  const pingAlways = async (place: number) => {
    // Half of the checks are pinged by two processes.
    const some = uuids.slice(place * 10, place * 10 + 20)
    for (let at = 100; isMoving; at++) {
      const { outcomes } = await stores[place]!.pings.record(
        some.map(uuid => arrivedPing({ uuid }, now + at)),
      )
      acknowledged += outcomes.filter(outcome => outcome === 'ok').length
    }
  }
  const pinging = stores.map((_, place) => pingAlways(place))
  const ended = Promise.all(pinging)
  // Whatever ends first is noticed, and nobody goes on pinging.
  const moveAll = async () => {
    for (let move = 0; move < MOVES; move++) await world.ask(MOVE)
  }
  await Promise.race([moveAll(), ended]).finally(() => {
    isMoving = false
  })
  await ended
  const [after] = await world.ask('SELECT count(*)::int AS pings FROM pings')
  const [counted] = await world.ask('SELECT sum(n_pings)::int AS pings FROM checks')
  const expected = (before!.pings as number) + acknowledged
  assert.ok(acknowledged > 0)
  assert.deepEqual([after!.pings, counted!.pings], [expected, expected])
})

/** A store that does not know yet that a shard was moved away. */
async function openBehindMove(t: TestContext) {
  const world = await citusWorld(t)
  const uuids = await world.withStore(store => fill(store, now))
  // The worker keeps another shard.
  await distributePostgres(world.url, 4)
  const store = await openPostgresStore(world.url, testSettings, { create: false })
  t.after(() => store.close())
  await world.ask(MOVE)
  await world.ask('CALL citus_cleanup_orphaned_resources()')
  return { ask: world.ask, store, uuids }
}

test('no ping is refused because the watcher looks for a shard where it was', onCitus, async t => {
  const { store, uuids } = await openBehindMove(t)
  await store.alerts.nextWake()
  const { outcomes } = await store.pings.record(uuids.map(uuid => arrivedPing({ uuid }, now + 100)))
  assert.deepEqual(new Set(outcomes), new Set(['ok']))
})

test('an alert has its facts although its shard was moved away a moment ago', onCitus, async t => {
  const { ask, store, uuids } = await openBehindMove(t)
  const flips = await ask('SELECT f.id, n.check_id, n.uuid FROM check_names n JOIN flips f USING (check_id)')
  assert.ok(flips.length >= uuids.length)
  for (const { id, check_id, uuid } of flips) {
    const facts = await store.alerts.facts(Number(check_id), Number(id))
    assert.equal(facts?.check.uuid, uuid)
    assert.ok(facts!.lastPing)
  }
})
