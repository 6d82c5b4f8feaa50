/** What becomes of pings while PostgreSQL hangs: whoever sends one waits ten seconds, and is told sooner. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { NoAnswerYet } from '../../../src/actions/pings/ping-refusals.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { Changes } from '../../../src/lib/changes.js'
import { isUnavailable } from '../../../src/storage/errors.js'
import { connect, createPool } from '../../../src/storage/postgres/connection.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { startCluster } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

async function openWorld(t: TestContext) {
  const cluster = await startCluster()
  const store = await openPostgresStore(cluster.url, testSettings, { create: true })
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: null, now: 1 })
  const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
  const client = new pg.Client(cluster.url)
  await client.connect()
  t.after(async () => {
    await Promise.all([store.close(), client.end()])
    await cluster.remove()
  })
  const ask = async (sql: string) => (await client.query(sql)).rows
  return { cluster, store, ask, ping: arrivedPing({ uuid: check.uuid }, 1_000_000) }
}

/** Does something, again and again while the database cannot be reached. */
async function unlessUnavailable(action: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    try {
      await action()
      return true
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return false
    }
  })
}

describe('while PostgreSQL', { concurrency: true }, () => {
  test('hangs, all waiting pings are refused at once and none is recorded later', async t => {
    const { cluster, store, ask, ping } = await openWorld(t)
    const queue = new PingQueue(store, new Changes(), assert.fail)
    await queue.record(ping)
    const hanging = { ...ping, arrivedAt: ping.arrivedAt + 1 }
    const thaw = cluster.freeze()
    try {
      const underWay = queue.record(hanging)
      underWay.catch(() => {})
      await setTimeout(4_000)
      assert.equal(queue.length, 0)
      const behind = queue.record(hanging)
      const answers = await Promise.allSettled([underWay, behind])
      assert.deepEqual(
        answers.map(answer => answer.status === 'rejected' && isUnavailable(answer.reason)),
        [true, true],
      )
      // It did not wait for as long as a sender waits.
      assert.ok(!((answers[1] as PromiseRejectedResult).reason instanceof NoAnswerYet))
    } finally {
      thaw()
    }
    // On a busy machine the server may take long to come back.
    await unlessUnavailable(() => queue.record(ping))
    const recorded = await ask('SELECT created_at::int AS at FROM pings')
    assert.ok(recorded.length >= 2)
    assert.deepEqual(new Set(recorded.map(({ at }) => at)), new Set([ping.arrivedAt]))
  })

  test('is busy, only operations without a time limit are waited for', async t => {
    const database = await freshDatabase()
    const pool = createPool(database.url, 1)
    t.after(async () => {
      await pool.end()
      await database.drop()
    })
    const ask = async (takesTime: boolean) => {
      const connection = await connect(pool, performance.now() + 200)
      if (takesTime) connection.liftTimeLimit()
      try {
        await connection.query('SELECT pg_sleep(1)')
      } finally {
        connection.release()
      }
    }
    await assert.rejects(ask(false), isUnavailable)
    // On a busy machine connecting may take longer than that, too.
    await unlessUnavailable(() => ask(true))
  })

  test('keeps a check locked, its ping is put off and nothing keeps waiting for the lock', async t => {
    const { store, ask, ping } = await openWorld(t)
    await ask('BEGIN')
    await ask('SELECT id FROM checks FOR UPDATE')
    const { outcomes: first } = await store.pings.record([ping])
    assert.deepEqual(first, ['locked'])
    const waiting = await ask(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
    assert.deepEqual(waiting, [])
    await ask('ROLLBACK')
    const { outcomes } = await store.pings.record([ping])
    assert.deepEqual(outcomes, ['ok'])
  })
})
