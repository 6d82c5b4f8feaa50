/** Checks that are created in one transaction while their connection to PostgreSQL is lost. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isUnavailable } from '../../../src/storage/errors.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

const SLOW_COMMIT = `
CREATE SEQUENCE commits;
CREATE FUNCTION wait_once() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN IF nextval(''commits'') = 1 THEN PERFORM pg_sleep(600); END IF; RETURN NULL; END';
CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON checks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION wait_once();`

async function openWorld(t: TestContext) {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: true })
  t.after(async () => {
    await store.close()
    // The database is used again by other tests.
    await database.query('DROP FUNCTION wait_once CASCADE')
    await database.query('DROP SEQUENCE commits')
    await database.drop()
  })
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: null, now: 1 })
  const create = () => store.checks.create(id, { changes: {}, unique: null, now: 1 })
  /** Closes, once there is one, the connection whose transaction waits as the condition says. */
  const closeWaiting = (condition: string) =>
    eventually(async () => {
      const closed = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND ${condition}`,
      )
      return closed.length > 0
    })
  const count = async () => Number((await database.query('SELECT count(*) AS n FROM checks'))[0]!.n)
  return { database, create, closeWaiting, count }
}

test('checks whose connection is lost before the commit are each created once', onOneServer, async t => {
  const { database, create, closeWaiting, count } = await openWorld(t)
  await database.query(SLOW_COMMIT.replace('DEFERRABLE INITIALLY DEFERRED', ''))
  const made = Promise.all(Array.from({ length: 20 }, create))
  await closeWaiting("wait_event = 'PgSleep'")
  assert.equal(new Set((await made).map(({ check }) => check.uuid)).size, 20)
  assert.equal(await count(), 20)
})

test(
  'checks whose connection is lost during the commit are not created a second time',
  onOneServer,
  async t => {
    const { database, create, closeWaiting, count } = await openWorld(t)
    await create()
    await database.query(SLOW_COMMIT)
    const made = Promise.allSettled(Array.from({ length: 20 }, create))
    await closeWaiting("query = 'COMMIT' AND wait_event = 'PgSleep'")
    const lost = (await made).filter(result => result.status === 'rejected')
    assert.equal(lost.length, 20)
    for (const { reason } of lost) assert.ok(isUnavailable(reason), String(reason))
    assert.equal(await count(), 1)
  },
)
