/** `punctual migrate --distribute` and `--undistribute`, by the built program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, punctual, punctualJson } from '../../_support/cli.js'
import { freshDatabase } from '../../_support/postgres.js'
import { citusWorld, onCitus } from '../../storage/postgres/citus/citus-world.js'

const KEY = { SECRET_KEY: 'known to the tests alone' }

test('tables are not distributed on a server without Citus, or by SQLite', async t => {
  const files = await freshInstallation(t, KEY)
  const { code, stderr } = await punctual(files, ['migrate', '--distribute'])
  assert.equal(code, 1)
  assert.match(stderr, /SQLite cannot be distributed/)
  const both = await punctual(files, ['migrate', '--distribute', '--undistribute'])
  assert.match(both.stderr, /choose one of/)
  if (!onCitus.skip) return
  const database = await freshDatabase()
  t.after(database.drop)
  const env = await freshInstallation(t, { ...KEY, DATABASE_URL: database.url })
  const refused = await punctual(env, ['migrate', '--distribute'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /does not have the extension citus/)
  assert.match((await punctual(env, ['migrate', '--undistribute'])).stdout, /Nothing is distributed/)
})

test('migrate distributes tables and brings them back, and then has nothing to do', onCitus, async t => {
  const { url, ask } = await citusWorld(t)
  const env = await freshInstallation(t, { ...KEY, DATABASE_URL: url, DATABASE_SHARDS: '3' })
  const { tables } = await punctualJson(env, ['migrate', '--distribute'])
  assert.equal(tables[0].name, 'checks')
  assert.deepEqual(
    await ask(`SELECT count(*) AS shards FROM pg_dist_shard WHERE logicalrelid = 'checks'::regclass`),
    [{ shards: 3 }],
  )
  assert.match((await punctual(env, ['migrate', '--distribute'])).stdout, /distributed already/)
  const back = await punctual(env, ['migrate', '--undistribute'])
  assert.match(back.stdout, /checks: brought back in .* s\n/)
  assert.match((await punctual(env, ['migrate', '--undistribute'])).stdout, /Nothing is distributed/)
})
