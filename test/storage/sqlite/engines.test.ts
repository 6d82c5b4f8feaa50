import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../src/storage/sqlite/connection.js'
import { inTransaction, selectValue } from '../../../src/storage/sqlite/engines/engine.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { borrowThread } from '../../_support/worlds/shared-threads.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

/** A database with a table for each kind of value. */
function openMemory(t: TestContext) {
  const database = sqliteEngine().open(':memory:', { mustExist: false })
  t.after(() => database.close())
  database.exec('CREATE TABLE facts (id INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB, real REAL)')
  const insert = database.prepare('INSERT INTO facts (text, bytes, real) VALUES (?, ?, ?)')
  return { database, insert }
}

test('the engine is the one in Node.js from 22.16 on, and the package before', () => {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const own = major > 22 || (major === 22 && minor >= 16)
  assert.match(sqliteEngine().name, own ? /^node:sqlite$/ : /^better-sqlite3 12\.11\.1$/)
})

test('values are read as they were written, as plain objects and as arrays', t => {
  const { database, insert } = openMemory(t)
  assert.deepEqual(insert.run('ä', new Uint8Array([1, 2]), 1.5), { changes: 1, lastInsertRowid: 1 })
  insert.run(null, null, Number.MAX_SAFE_INTEGER)
  const select = database.prepare('SELECT * FROM facts WHERE id >= ?')
  const [first, second] = select.all(1) as { text: unknown; bytes: Uint8Array; real: unknown }[]
  assert.deepEqual([...first!.bytes], [1, 2])
  assert.deepEqual({ ...first, bytes: null }, { id: 1, text: 'ä', bytes: null, real: 1.5 })
  assert.deepEqual(second, { id: 2, text: null, bytes: null, real: Number.MAX_SAFE_INTEGER })
  assert.deepEqual(select.get(2), second)
  assert.deepEqual(select.arrays(2), [[2, null, null, Number.MAX_SAFE_INTEGER]])
  assert.equal(select.get(3), undefined)
  assert.deepEqual(select.all(3), [])
})

test('a statement knows whether it returns rows', t => {
  const { database, insert } = openMemory(t)
  assert.equal(insert.reader, false)
  const returning = database.prepare(`INSERT INTO facts (text) VALUES ('a') RETURNING id`)
  assert.equal(returning.reader, true)
  assert.deepEqual(returning.all(), [{ id: 1 }])
})

test('an added column appears in the rows of a statement prepared before', t => {
  const { database, insert } = openMemory(t)
  insert.run('a', null, null)
  const select = database.prepare('SELECT * FROM facts')
  select.all()
  database.exec('ALTER TABLE facts ADD COLUMN more INTEGER NOT NULL DEFAULT 7')
  // Node.js 22.16 itself counts the columns before it notices.
  select.all()
  assert.deepEqual(select.all(), [{ id: 1, text: 'a', bytes: null, real: null, more: 7 }])
})

test('errors of SQLite have the name of their result code', async t => {
  const { database, insert } = openMemory(t)
  insert.run('a', null, null)
  assert.throws(() => insert.run('a', null, null), { code: /^SQLITE_CONSTRAINT/ })
  assert.throws(() => database.exec(`INSERT INTO facts (text) VALUES ('a')`), { code: /^SQLITE_CONSTRAINT/ })
  assert.throws(() => database.prepare('SELECT nothing FROM nowhere'), { code: 'SQLITE_ERROR' })
  const missing = join(await tempFolder(t), 'missing.db')
  assert.throws(() => openDatabase(missing, { mustExist: true }), { code: 'SQLITE_CANTOPEN' })
})

test('a file whose name has URL characters is opened under that name', async t => {
  const file = join(await tempFolder(t), 'a b?c#d%20e.db')
  openDatabase(file).close()
  const database = openDatabase(file, { mustExist: true })
  assert.equal(selectValue(database, 'SELECT file FROM pragma_database_list'), file)
  database.close()
})

test('another writer is waited for as long as configured, then the write is busy', async t => {
  const file = join(await tempFolder(t), 'busy.db')
  const [one, other] = [openDatabase(file), openDatabase(file)]
  t.after(() => [one, other].map(database => database.close()))
  other.exec('PRAGMA busy_timeout = 1')
  inTransaction(one, () => assert.throws(() => other.exec('BEGIN IMMEDIATE'), { code: 'SQLITE_BUSY' }))
})

test('a new database is opened after the transaction of another connection that writes to it', async t => {
  const folder = await tempFolder(t)
  /** Opens the file in a thread. */
  const opened = async (file: string) => {
    const thread = borrowThread({ file, role: 'write', settings: testSettings })
    await once(thread, 'message')
    thread.postMessage('close')
    await once(thread, 'exit')
  }
  const before = join(folder, 'before.db')
  openDatabase(before).close()
  // So that the thread runs already, and opens the next file at once.
  await opened(before)
  const file = join(folder, 'new.db')
  const writer = sqliteEngine().open(file, { mustExist: false })
  t.after(() => writer.close())
  writer.exec('BEGIN IMMEDIATE; CREATE TABLE facts (id INTEGER)')
  const waiting = opened(file)
  await sleep(300)
  writer.exec('COMMIT')
  await waiting
})

test('a transaction that throws leaves nothing behind, and a savepoint what came before it', t => {
  const { database, insert } = openMemory(t)
  assert.throws(() =>
    inTransaction(database, () => {
      insert.run('a', null, null)
      assert.equal(database.inTransaction, true)
      throw new Error('no')
    }),
  )
  assert.equal(database.inTransaction, false)
  inTransaction(database, () => {
    insert.run('b', null, null)
    database.exec('SAVEPOINT message')
    insert.run('c', null, null)
    database.exec('ROLLBACK TO message; RELEASE message')
  })
  assert.deepEqual(database.prepare('SELECT text FROM facts').arrays(), [['b']])
})
