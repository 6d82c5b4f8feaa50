/** Databases of the Punctual that recorded its schema as a number; test/storage/numbered/ holds one for each engine. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageRoot } from '../../src/lib/package-root.js'
import { columnsIn } from '../../src/storage/carry-over.js'
import { migrations } from '../../src/storage/migrate.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { type BareDatabase, openBareDatabase } from '../_support/bare-database.js'
import { engine } from '../_support/worlds/store.js'

const UUID = '5524e5f9-bf81-4210-8bb3-573121f96e83'

async function openNumbered(t: TestContext): Promise<BareDatabase> {
  const database = await openBareDatabase(t)
  await database.run(readFileSync(join(packageRoot, 'test/storage/numbered', `${engine}.sql`), 'utf8'))
  return database
}

const numberQuery =
  engine === 'postgres'
    ? 'SELECT version AS n FROM schema_version'
    : 'SELECT user_version AS n FROM pragma_user_version'
const setNumber = (number: number) =>
  engine === 'postgres' ? `UPDATE schema_version SET version = ${number}` : `PRAGMA user_version = ${number}`

test('a numbered database is carried over with its rows and records pings', async t => {
  const database = await openNumbered(t)
  const store = await database.open()
  const recorded = await database.rows('SELECT name FROM migrations ORDER BY name')
  assert.deepEqual(
    recorded.map(({ name }) => name),
    migrations().map(({ name }) => name),
  )
  const incidents = 'SELECT check_id, cause, closed_by FROM incidents'
  assert.deepEqual((await database.rows(incidents)).map(Object.values), [[1, 'failed', null]])
  const { outcomes } = await store.pings.record([arrivedPing({ uuid: UUID }, 1_795_308_100_000)])
  assert.deepEqual(outcomes, ['ok'])
  assert.deepEqual((await database.rows(incidents)).map(Object.values), [[1, 'failed', 'recovery']])
  const rows = await database.rows('SELECT status, n_pings FROM checks ORDER BY id')
  assert.deepEqual(rows.map(Object.values), [
    ['up', 4],
    ['up', 1],
  ])
  const [body] = await database.rows('SELECT body FROM pings WHERE id = 1')
  assert.match(Buffer.from(body!.body as Uint8Array).toString(), /^a body of 120 bytes/)
})

test('processes that carry a database over at the same time do so once', async t => {
  const database = await openNumbered(t)
  const applied = await Promise.all(Array.from({ length: 6 }, () => database.migrate()))
  assert.deepEqual(
    applied.flat(),
    migrations()
      .slice(1)
      .map(({ name }) => name),
  )
})

test('a database carried over has the schema of a new one', async t => {
  const [carried, fresh] = [await openNumbered(t), await openBareDatabase(t)]
  await carried.migrate()
  await fresh.migrate()
  const ofPunctual = (line: string) => !line.startsWith('schema_version')
  const schema = (await carried.schema()).filter(ofPunctual)
  assert.ok(schema.length > 250, String(schema.length))
  assert.deepEqual(schema, await fresh.schema())
})

test('an older version that goes by numbers refuses a carried-over database', async t => {
  const database = await openNumbered(t)
  await database.migrate()
  const [{ n }] = (await database.rows(numberQuery)) as [{ n: number }]
  assert.ok(n > 9)
})

test('a numbered database with other columns or another number is refused and not changed', async t => {
  const changes: [string, RegExp][] = [
    [setNumber(8), /its schema has the number 8\)/],
    ['ALTER TABLE channels DROP COLUMN confirmed', /number 9, it lacks channels\.confirmed\)/],
    ['DROP TABLE mails', /it lacks mails\.id, mails\.uuid, mails\.user_id and 10 more\)/],
    ['ALTER TABLE flips ADD COLUMN extra BIGINT', /it has flips\.extra\)/],
  ]
  for (const [change, message] of changes) {
    const database = await openNumbered(t)
    await database.run(change)
    const before = [await database.schema(), await database.rows(numberQuery)]
    await assert.rejects(database.migrate(), { name: 'Refusal', message })
    await assert.rejects(database.open(), {
      name: 'Refusal',
      message: /cannot be upgraded\. Nothing was changed/,
    })
    assert.deepEqual([await database.schema(), await database.rows(numberQuery)], before)
  }
})

test('the columns read from the initial migration are those that it creates', async t => {
  const database = await openNumbered(t)
  const expected = columnsIn(migrations()[0]!.sql).sort()
  const lines = (await database.schema()).map(line => line.split(' ')[0]!)
  const tables = new Set(expected.map(column => column.split('.')[0]))
  const found = lines.filter(name => name.includes('.') && tables.has(name.split('.')[0]!))
  assert.deepEqual([...new Set(found)].sort(), expected)
})
