/** Servers let go of a database whose tables are to be moved, and open it anew. Decision 0150. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { giveNotice, readNotice } from '../../../src/storage/postgres/citus/move-notice.js'
import { type Exclusive, whileUnused } from '../../../src/storage/postgres/citus/while-unused.js'
import { type Connection, connect, createPool } from '../../../src/storage/postgres/connection.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { freshInstallation, punctualJson, starting } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { freePort } from '../../_support/servers/free-port.js'
import { testSettings } from '../../_support/worlds/store.js'

/** A fresh database with a connection that can have it alone, and how. */
async function database(t: TestContext) {
  const { url, directUrl, query, drop } = await freshDatabase()
  const pool = createPool(directUrl, 2)
  const connection = await connect(pool)
  t.after(async () => {
    connection.release()
    await pool.end()
    await drop()
  })
  const beside: Exclusive['beside'] = async work => {
    const other = await connect(pool)
    try {
      await work(other)
    } finally {
      other.release()
    }
  }
  const alone = <T>(work: () => Promise<T>) => whileUnused(connection, { beside, patienceMs: 60_000 }, work)
  return { url, query, beside, alone }
}

const noticeIn = async (beside: Exclusive['beside']) => {
  let notice: string | null = null
  await beside(async (connection: Connection) => {
    notice = await readNotice(connection)
  })
  return notice as string | null
}

test('a store is asked once to be opened anew, by a notice that is given after it was opened', async t => {
  const { url, beside } = await database(t)
  await beside(giveNotice)
  const asked: number[] = []
  const open = (id: number) =>
    openPostgresStore(url, testSettings, { create: false, onMove: () => asked.push(id) })
  const first = await open(1)
  t.after(first.close)
  await beside(giveNotice)
  await eventually(() => asked.length === 1)
  const second = await open(2)
  t.after(second.close)
  await beside(giveNotice)
  await eventually(() => asked.includes(2))
  assert.deepEqual(asked, [1, 2])
})

test('a server stops while the tables of its database move, and serves again afterwards', async t => {
  const { url, query, beside, alone } = await database(t)
  const env = await freshInstallation(t, {
    ...{ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(64), PORT: String(await freePort()) },
    REGISTRATION_OPEN: 'False',
  })
  const { ping_key: pingKey } = await punctualJson(env, ['project', 'create', 'Backups'])
  const ping = () =>
    fetch(`http://127.0.0.1:${env.PORT}/ping/${pingKey}/job?create=1`).then(
      ({ status }) => status,
      () => null,
    )
  const server = starting(t, env)
  const times = (word: string) => server.output.stderr.split(`"msg":"${word}"`).length - 1
  await eventually(() => times('serving') === 1)
  assert.equal(await ping(), 201)
  await alone(async () => {
    assert.equal(await ping(), null)
    assert.notEqual(await noticeIn(beside), null)
    assert.equal(times('serving'), 1)
  })
  await eventually(() => times('serving') === 2)
  assert.equal(await ping(), 200)
  assert.equal(await noticeIn(beside), null)
  assert.equal(times('the tables of the database move: stopping until that is done'), 1)
  assert.equal(await server.end('SIGTERM'), 0)
  const rows = await query('SELECT n_pings::int FROM checks')
  assert.deepEqual(rows, [{ n_pings: 2 }])
})
