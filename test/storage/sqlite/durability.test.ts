import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUnavailable } from '../../../src/storage/errors.js'
import { openDatabase } from '../../../src/storage/sqlite/connection.js'
import { selectValue } from '../../../src/storage/sqlite/engines/engine.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

test('every connection keeps a write-ahead log and syncs it to disk at each commit', async t => {
  const file = join(await tempFolder(t), 'punctual.db')
  for (const options of [{}, { readonly: true }]) {
    const database = openDatabase(file, options)
    assert.equal(selectValue(database, 'PRAGMA journal_mode'), 'wal')
    assert.equal(selectValue(database, 'PRAGMA synchronous'), 2, 'FULL')
    assert.equal(selectValue(database, 'PRAGMA foreign_keys'), 1)
    database.close()
  }
})

test('a database that a newer version has migrated is refused', async t => {
  const file = join(await tempFolder(t), 'punctual.db')
  const store = await openSqliteStore(file, testSettings, { create: true })
  await store.close()
  const database = openDatabase(file)
  database.exec("INSERT INTO migrations VALUES ('9999_later', 1)")
  database.close()
  await assert.rejects(openSqliteStore(file, testSettings, { create: true }), {
    name: 'Refusal',
    message: /does not know \(9999_later\): install a newer Punctual/,
  })
})

test('a database is created only if requested', async t => {
  const file = join(await tempFolder(t), 'punctual.db')
  await assert.rejects(openSqliteStore(file, testSettings, { create: false }), {
    name: 'Refusal',
    message: /there is no database/,
  })
})

test('a database thread that ended is replaced at the next call', async t => {
  const file = join(await tempFolder(t), 'punctual.db')
  const store = await openSqliteStore(file, testSettings, { create: true })
  try {
    renameSync(file, `${file}.away`)
    await assert.rejects(store.projects.list(), error => isUnavailable(error))
    await assert.rejects(store.projects.list(), error => isUnavailable(error))
    renameSync(`${file}.away`, file)
    assert.deepEqual(await store.projects.list(), [])
  } finally {
    await store.close()
  }
})
