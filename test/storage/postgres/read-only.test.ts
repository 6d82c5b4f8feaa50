/** What becomes of connections that were opened while the database was read-only. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { isUnavailable } from '../../../src/storage/errors.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { eventually } from '../../_support/eventually.js'
import { startCluster, withDatabase } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

async function openWorld(t: TestContext) {
  const cluster = await startCluster()
  const admin = new pg.Client(cluster.url)
  await admin.connect()
  await admin.query('CREATE DATABASE jobs')
  const store = await openPostgresStore(withDatabase(cluster.url, 'jobs'), testSettings, { create: true })
  t.after(async () => {
    await Promise.all([store.close(), admin.end()])
    await cluster.remove()
  })
  const cut = async () =>
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'jobs' AND pid <> pg_backend_pid()`,
    )
  /** New sessions may only read. */
  const becomeReadOnly = async () => {
    await admin.query('ALTER DATABASE jobs SET default_transaction_read_only = on')
    await cut()
  }
  const becomeWritable = async () =>
    await admin.query('ALTER DATABASE jobs RESET default_transaction_read_only')
  /** The sessions of the program. */
  const sessions = async () =>
    (await admin.query(`SELECT pid FROM pg_stat_activity WHERE datname = 'jobs'`)).rows.map(({ pid }) => pid)
  return { store, becomeReadOnly, becomeWritable, sessions }
}

test('after the database was read-only, writes succeed, and no connection of that time is used any more', async t => {
  const { store, becomeReadOnly, becomeWritable, sessions } = await openWorld(t)
  const write = async () => await store.instance.beat('me', 1)
  // Each on a connection of its own, of all pools.
  const use = async () =>
    await Promise.allSettled([
      ...Array.from({ length: 8 }, () => store.instance.probe()),
      ...Array.from({ length: 8 }, () => store.projects.list()),
      ...Array.from({ length: 8 }, write),
      ...Array.from({ length: 8 }, () => store.alerts.nextWake()),
    ])
  await use()
  await becomeReadOnly()
  await eventually(async () => {
    const [refused] = await Promise.allSettled([write()])
    return refused!.status === 'rejected' && (refused.reason as { code?: string }).code === '25006'
  })
  await assert.rejects(write, isUnavailable)
  await use()
  const ofThatTime = await sessions()
  assert.ok(ofThatTime.length > 2)
  await becomeWritable()
  await eventually(async () => (await Promise.allSettled([write()]))[0]!.status === 'fulfilled')
  await eventually(async () => {
    await use()
    const now = await sessions()
    return ofThatTime.every(pid => !now.includes(pid))
  })
})
