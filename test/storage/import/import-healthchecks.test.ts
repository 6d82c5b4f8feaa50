import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { importRules } from '../../../src/actions/instance/import-rules.js'
import {
  type ColumnFate,
  SOURCE_TABLES,
  type SourceTable,
  UNREAD_TABLES,
} from '../../../src/core/import/source-schema.js'
import { openSide, type Side } from '../../../src/storage/copy/side.js'
import { importHealthchecks } from '../../../src/storage/import/import-healthchecks.js'
import { openSource, type Source } from '../../../src/storage/import/source.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import type { Tables } from '../../../src/storage/tables.js'
import { healthchecksFile } from '../../_support/healthchecks.js'
import { freshDatabase } from '../../_support/postgres.js'
import { engine, tempFolder } from '../../_support/worlds/store.js'

const site = { name: 'Punctual', root: 'http://localhost:8000' }
const rules = importRules('a key of the tests', {}, site, Date.parse('2026-11-22T00:00:00Z'))

async function emptyTarget(t: TestContext) {
  const [side] = await emptyTargets(t, 1)
  return side!
}

/** Connections of as many processes to an empty database. */
async function emptyTargets(t: TestContext, count: number) {
  const database = engine === 'sqlite' ? null : await freshDatabase()
  const address = database?.directUrl ?? `sqlite:${await tempFolder(t)}/punctual.db`
  const sides: Side[] = []
  for (let n = 0; n < count; n++) sides.push(await openSide(address, { create: true }))
  t.after(async () => {
    for (const side of sides) await side.close()
    await database?.drop()
  })
  return sides
}

/** How many rows a table has. */
async function count(side: Side, table: 'pings' | 'flips' | 'checks' | 'notifications') {
  const query = side.sql.selectFrom(table).select(eb => eb.fn.countAll<number>().as('n'))
  return Number((await query.executeTakeFirstOrThrow()).n)
}

async function openSample(t: TestContext): Promise<Source> {
  const source = await openSource(await healthchecksFile(t))
  t.after(() => source.close())
  return source
}

test('every column of a real database is carried, derived, or dropped with a reason', async t => {
  const { tables } = await openSample(t)
  const forgotten: string[] = []
  for (const [table, columns] of tables) {
    const known = SOURCE_TABLES[table as SourceTable] as Record<string, ColumnFate> | undefined
    if (!known && !UNREAD_TABLES[table]) forgotten.push(table)
    if (known) forgotten.push(...columns.filter(column => !known[column]).map(column => `${table}.${column}`))
  }
  assert.deepEqual(forgotten, [])
})

test('an import that was killed between two transactions continues where it was', async t => {
  const [source, side] = [await openSample(t), await emptyTarget(t)]
  let transactions = 0
  const dying = {
    ...side,
    begin: async () => {
      if (++transactions === 4) throw new Error('killed')
      await side.begin()
    },
    rollback: async () => {},
  }
  await assert.rejects(importHealthchecks(source, dying, rules), /killed/)
  assert.deepEqual([await count(side, 'checks'), await count(side, 'pings')], [42, 0])
  await importHealthchecks(source, side, rules)
  assert.equal(await count(side, 'checks'), 42)
  assert.equal(await count(side, 'pings'), await source.count('api_ping'))
  assert.equal(await count(side, 'flips'), await source.count('api_flip'))
})

test('of two imports at once, the one that was overtaken ends and writes nothing twice', async t => {
  const [slow, fast] = (await emptyTargets(t, 2)) as [Side, Side]
  const source = await openSample(t)
  let transactions = 0
  const overtaken = {
    ...slow,
    begin: async () => {
      if (++transactions === 4) await importHealthchecks(source, fast, rules)
      await slow.begin()
    },
  }
  await assert.rejects(importHealthchecks(source, overtaken, rules), /another import writes into/)
  assert.equal(await count(fast, 'pings'), await source.count('api_ping'))
  const { added } = await importHealthchecks(source, slow, rules)
  assert.deepEqual(added, {})
})

test('a check that is down has an open incident, and its channels know of it', async t => {
  const [source, side] = [await openSample(t), await emptyTarget(t)]
  await importHealthchecks(source, side, rules)
  const down = await side.sql
    .selectFrom('checks')
    .select('id')
    .where('status', '=', 'down')
    .orderBy('id')
    .execute()
  const open = await side.sql
    .selectFrom('incidents')
    .select('check_id as id')
    .where('closed_at', 'is', null)
    .orderBy('check_id')
    .execute()
  assert.ok(down.length > 0)
  assert.deepEqual(open, down)
  const closed = side.sql.selectFrom('incidents').select('id').where('closed_at', 'is not', null)
  assert.ok((await closed.execute()).length > 100)
  const reported = await side.sql
    .selectFrom('reported')
    .select('check_id as id')
    .distinct()
    .orderBy('check_id')
    .execute()
  const linked = await side.sql.selectFrom('check_channels').select('check_id').distinct().execute()
  const withChannels = new Set(linked.map(row => row.check_id))
  assert.deepEqual(
    reported,
    down.filter(({ id }) => withChannels.has(id)),
  )
  assert.ok(reported.length > 0)
})

test('a later copy of the database brings checks and logs up to date', async t => {
  const [file, side] = [await healthchecksFile(t), await emptyTarget(t)]
  const before = await openSource(file)
  await importHealthchecks(before, side, rules)
  await before.close()
  const database = sqliteEngine().open(file, { mustExist: true })
  database.exec(
    `UPDATE api_check SET n_pings = n_pings + 1, status = 'up', last_ping = '2026-11-21 23:00:00' WHERE id = 5`,
  )
  database.exec(`INSERT INTO api_flip (created, old_status, new_status, owner_id, reason)
    VALUES ('2026-11-21 23:00:00', 'down', 'up', 5, '')`)
  database.exec(`INSERT INTO api_ping (method, ua, owner_id, scheme, n, created)
    SELECT 'GET', '', 5, 'http', n_pings, '2026-11-21 23:00:00' FROM api_check WHERE id = 5`)
  database.close()
  const after = await openSource(file)
  t.after(() => after.close())
  const { added } = await importHealthchecks(after, side, rules)
  assert.deepEqual(added, { 'checks brought up to date': 1, 'status changes': 1, pings: 1 })
  const check = await side.sql
    .selectFrom('checks as c')
    .innerJoin('incidents as i', 'i.check_id', 'c.id')
    .select(['c.status', 'i.closed_at as closedAt'])
    .where('c.uuid', '=', 'ce7338b8-fa51-4661-9a6b-d7dfb10231f0')
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.deepEqual(check, { status: 'up', closedAt: Date.parse('2026-11-21T23:00:00Z') })
})

test('a ping whose number a ping here has is counted as left out', async t => {
  const [file, side] = [await healthchecksFile(t), await emptyTarget(t)]
  const before = await openSource(file)
  await importHealthchecks(before, side, rules)
  await before.close()
  const database = sqliteEngine().open(file, { mustExist: true })
  database.exec(`INSERT INTO api_ping (method, ua, owner_id, scheme, n, created)
    SELECT 'GET', '', owner_id, 'http', n, created FROM api_ping ORDER BY id DESC LIMIT 1`)
  database.close()
  const after = await openSource(file)
  t.after(() => after.close())
  const { added } = await importHealthchecks(after, side, rules)
  assert.deepEqual(added, { 'pings left out: a ping here has their number': 1 })
})

test('a server that uses the target is not disturbed', async t => {
  const [source, side] = [await openSample(t), await emptyTarget(t)]
  const at = rules.now - 1_000
  await side.sql.insertInto('beats').values({ process: 'a', beat_at: at, heard_at: at, stopped: 0 }).execute()
  await assert.rejects(importHealthchecks(source, side, rules), /a server uses this database/)
})

const TYPES = {
  instant: 'timestamptz',
  duration: 'interval',
  uuid: 'uuid',
  flag: 'boolean',
  int: 'integer',
  text: 'text',
  bytes: 'bytea',
}

test('PostgreSQL as the source gives the same rows as SQLite', { skip: engine !== 'postgres' }, async t => {
  const [sample, database] = [await openSample(t), await freshDatabase()]
  const tables = Object.entries(SOURCE_TABLES) as [SourceTable, Record<string, ColumnFate>][]
  const opened: Source[] = []
  t.after(async () => {
    // Its transaction holds the tables.
    for (const one of opened) await one.close()
    for (const [table] of tables) await database.query(`DROP TABLE IF EXISTS ${table}`)
    await database.drop()
  })
  for (const [table, columns] of tables) {
    const list = Object.entries(columns)
    await database.query(
      `CREATE TABLE ${table} (${list.map(([name, { type }]) => `"${name}" ${TYPES[type]}`).join()})`,
    )
    const rows = (await sample.page(table, 0, ALL)) as Record<string, unknown>[]
    const values = rows.map(row => `(${list.map(([name, { type }]) => literal(row[name], type)).join()})`)
    await database.query(`INSERT INTO ${table} VALUES ${values.join()}`)
  }
  const source = await openSource(database.directUrl)
  opened.push(source)
  for (const [table] of tables) {
    // A clone, because one SQLite library returns bytes as a subclass.
    const [rows, expected] = [await source.page(table, 0, 30), await sample.page(table, 0, 30)]
    assert.deepEqual(rows, structuredClone(expected), table)
  }
  const [imported, expected] = [await contentAfter(t, source), await contentAfter(t, sample)]
  assert.equal(imported.get('pings')?.length, await sample.count('api_ping'))
  assert.deepEqual(differing(imported, expected), MADE_BY_CHANCE)
})

const MADE_BY_CHANCE = ['meta.value', 'users.totp_secret', 'users.uuid']

/** More than any table has rows. */
const ALL = 100_000

type Content = Map<string, Record<string, unknown>[]>

/** The rows of every table of an empty database after an import. */
async function contentAfter(t: TestContext, source: Source): Promise<Content> {
  const side = await emptyTarget(t)
  await importHealthchecks(source, side, rules)
  const content: Content = new Map()
  for (const { name, schema = 'public', isView } of await side.sql.introspection.getTables()) {
    // Citus has a view of the sizes of tables.
    if (schema !== 'public' || isView) continue
    // PostgreSQL does not use it, and a database that another test has had lacks its rows.
    if (name === 'last_ids') continue
    const rows = side.sql.selectFrom(name as keyof Tables).selectAll()
    content.set(name, (await rows.execute()).sort(byText))
  }
  return content
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

/** The columns in which the two are not the same: a comparison of all rows would show them all. */
function differing(content: Content, other: Content): string[] {
  const found = new Set<string>()
  for (const [table, rows] of content) {
    const others = other.get(table)!
    if (rows.length !== others.length) found.add(`number of ${table}`)
    for (const [place, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (!isDeepStrictEqual(value, others[place]?.[column])) found.add(`${table}.${column}`)
      }
    }
  }
  return [...found].sort()
}

function literal(value: unknown, type: ColumnFate['type']): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'instant') return `timestamptz 'epoch' + ${value} * interval '1 microsecond'`
  if (type === 'duration') return `${value} * interval '1 microsecond'`
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`
  return type === 'int' || type === 'flag' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}
