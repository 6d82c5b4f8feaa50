import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationsOf } from '../../src/storage/migrate.js'

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
