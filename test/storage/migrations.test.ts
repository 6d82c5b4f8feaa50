import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../src/storage/migrate.js'
import { openBareDatabase } from '../_support/bare-database.js'

const all = migrations().map(({ name }) => name)

test('migrations have numbers and names, each number once', () => {
  const numbers = all.map(name => name.slice(0, 4))
  assert.equal(all[0], '0001_initial')
  assert.deepEqual(numbers, [...new Set(numbers)])
})

test('an empty database gets every migration in order, recorded by name and time', async t => {
  const database = await openBareDatabase(t)
  const before = Date.now()
  assert.deepEqual(await database.migrate(), all)
  const recorded = await database.rows('SELECT name, applied_at FROM migrations ORDER BY name')
  assert.deepEqual(
    recorded.map(({ name }) => name),
    all,
  )
  for (const { applied_at } of recorded)
    assert.ok(Number(applied_at) >= before && Number(applied_at) <= Date.now())
  assert.deepEqual(await database.migrate(), [])
})

test('a missing migration below later ones is applied, not skipped', async t => {
  const database = await openBareDatabase(t)
  // Everything but the first, recorded only: the first is what is missing.
  await database.run('CREATE TABLE migrations (name VARCHAR(100) PRIMARY KEY, applied_at BIGINT NOT NULL)')
  for (const name of all.slice(1)) await database.run(`INSERT INTO migrations VALUES ('${name}', 1)`)
  assert.deepEqual(await database.migrate(), ['0001_initial'])
  assert.deepEqual(await database.rows('SELECT count(*) AS n FROM checks'), [{ n: 0 }])
})

test('a migration that fails leaves nothing of it or of those before it', async t => {
  const database = await openBareDatabase(t)
  // The name of the last index of the initial migration is taken.
  await database.run('CREATE TABLE other (a INTEGER); CREATE INDEX removals_due ON other (a)')
  const before = await database.schema()
  await assert.rejects(database.migrate(), /removals_due/)
  assert.deepEqual(await database.schema(), before)
})

test('a database with a migration that this version does not know is refused', async t => {
  const database = await openBareDatabase(t)
  await database.migrate()
  await database.run("INSERT INTO migrations VALUES ('9999_later', 1), ('9998_late', 1)")
  await assert.rejects(database.migrate(), {
    name: 'Refusal',
    message:
      'the database has had migrations that this Punctual does not know (9998_late, 9999_later): install a newer Punctual',
  })
})
