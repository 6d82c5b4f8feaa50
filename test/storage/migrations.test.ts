import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationsOf } from '../../src/storage/migrate.js'
import { openBareDatabase } from '../_support/bare-database.js'
import { engine } from '../_support/store.js'

/** Every column of every table that the migrations of an engine make, in the order of their names. */
function columnsOf(engine: 'sqlite' | 'postgres'): string[] {
  const columns: string[] = []
  for (const { sql } of migrationsOf(engine)) {
    const plain = sql.replace(/--.*$/gm, '')
    for (const [, table, body] of plain.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\)[^()]*;/g)) {
      for (const [, name] of body!.matchAll(/(?:^|,)\s*("?[a-z]\w*"?) (?=\s*[A-Z])/g)) {
        columns.push(`${table}.${name!.replaceAll('"', '')}`)
      }
    }
    for (const [, table, name] of plain.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g)) {
      columns.push(`${table}.${name}`)
    }
    for (const [, table, from, to] of plain.matchAll(/ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+)/g)) {
      columns[columns.indexOf(`${table}.${from}`)] = `${table}.${to}`
    }
  }
  return columns.sort()
}

test('both engines have the same migrations', () => {
  const names = migrationsOf('sqlite').map(({ name }) => name)
  assert.deepEqual(
    migrationsOf('postgres').map(({ name }) => name),
    names,
  )
})

test('both engines have the same tables with the same columns', () => {
  const columns = columnsOf('sqlite')
  assert.ok(columns.includes('checks.wake_at') && columns.includes('meta.value'), columns.join(' '))
  assert.deepEqual(columnsOf('postgres'), columns)
})

test('what channels were told before the counts were columns of their own still counts', async t => {
  const { run, rows } = await openBareDatabase(t)
  const migrate = async (from: number, to: number) => {
    const some = migrationsOf(engine).filter(({ version }) => version >= from && version <= to)
    for (const { sql } of some) await run(sql)
  }
  await migrate(1, 8)
  await run("INSERT INTO projects (id, uuid, name, badge_key, created_at) VALUES (1, 'p', 'Alice', 'b', 1)")
  await run(`INSERT INTO channels
    (id, uuid, project_id, kind, settings, created_at, minute_from, minute_told, hour_from, hour_told, hour_announced)
    VALUES
    (1, 'a', 1, 'email', '{}', 1, 1800000060000, 20003, 1800000000000, 290004, -1800000000000),
    (2, 'b', 1, 'email', '{}', 1, 1800000060000, 5, 1800000000000, 30, 1800000000000),
    (3, 'c', 1, 'email', '{}', 1, NULL, 0, NULL, 0, NULL)`)
  await migrate(9, 9)
  const counts = 'minute_from, minute_falls, minute_others, hour_from, hour_falls, hour_others'
  const found = await rows(`SELECT ${counts}, falls_announced, others_announced FROM channels ORDER BY id`)
  const minute = 1_800_000_060_000
  const hour = 1_800_000_000_000
  assert.deepEqual(
    found.map(row => Object.values(row)),
    [
      [minute, 3, 2, hour, 4, 29, null, hour],
      [minute, 5, 0, hour, 30, 0, hour, hour],
      [null, 0, 0, null, 0, 0, null, null],
    ],
  )
})
