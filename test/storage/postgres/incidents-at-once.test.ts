/** Two processes that open and close incidents of the same checks at once. Decision 0115. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { recordPings } from '../../_support/record-pings.js'
import { openTwoStores } from '../../_support/worlds/two-stores.js'

const START = Date.UTC(2026, 0, 15, 12)
const CHECKS = 20
const ROUNDS = 15

test('two processes that make checks go down and up at once leave one open incident a down check', async t => {
  const { database, store, other } = await openTwoStores(t)
  const { query } = database
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: 'key', now: 1 })
  const uuids: string[] = []
  for (let n = 0; n < CHECKS; n++) {
    const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
    uuids.push(check.uuid)
  }
  await query(`INSERT INTO check_parents (check_id, parent_id)
    SELECT c.id, (SELECT min(id) FROM checks) FROM checks c WHERE c.id > (SELECT min(id) FROM checks)`)
  const deadlocks = async () =>
    (await query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'))[0]!.deadlocks
  const before = await deadlocks()
  await Promise.all(
    [store, other].map(async (store, place) => {
      for (let round = 0; round < ROUNDS; round++) {
        const action = (round + place) % 2 === 0 ? ('fail' as const) : ('success' as const)
        const now = START + round * 60_000
        const order = place === 0 ? uuids : uuids.toReversed()
        const { outcomes } = await recordPings(
          store,
          order.map(uuid => arrivedPing({ uuid }, now, { action })),
        )
        assert.ok(outcomes.every(outcome => outcome === 'ok'))
        await store.checks.pause(project.id, order[round]!, now)
      }
    }),
  )
  assert.equal(await deadlocks(), before)
  const wrong = await query(`
    SELECT c.id, c.status, count(i.id) FROM checks c LEFT JOIN incidents i ON i.check_id = c.id AND i.closed_at IS NULL
    GROUP BY c.id, c.status HAVING count(i.id) <> CASE WHEN c.status = 'down' THEN 1 ELSE 0 END`)
  assert.deepEqual(wrong, [])
  const [row] = await query('SELECT count(*) AS n FROM incidents')
  assert.ok(Number(row!.n) >= CHECKS)
})
