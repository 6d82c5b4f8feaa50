import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../../src/storage/sqlite/connection.js'
import { selectValue } from '../../../src/storage/sqlite/engines/engine.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { commitsLostToDamage } from '../../../src/storage/sqlite/wal-damage.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

const COMMITS = 20
const HEADER_BYTES = 32
const FRAME_BYTES = 24 + 4096

/** A database whose commits, of one page each, are in its write-ahead log alone, as a kill leaves it. */
async function killedDatabase(t: TestContext) {
  const folder = await tempFolder(t)
  const file = join(folder, 'punctual.db')
  await (await openSqliteStore(file, testSettings, { create: true })).close()
  const database = openDatabase(file)
  for (let n = 1; n <= COMMITS; n++) database.exec(`INSERT INTO meta (key, value) VALUES ('${n}', '')`)
  const left = join(folder, 'left.db')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${left}${end}`)
  database.close()
  return left
}

function damage(wal: string, frame: number): void {
  const bytes = readFileSync(wal)
  bytes[HEADER_BYTES + frame * FRAME_BYTES + 2_000]! ^= 0xff
  writeFileSync(wal, bytes)
}

async function lostAtStart(file: string): Promise<number> {
  let lost = 0
  const onDamage = (commits: number) => {
    lost = commits
  }
  await (await openSqliteStore(file, testSettings, { create: true, onDamage })).close()
  return lost
}

function kept(file: string): unknown {
  const database = openDatabase(file, { mustExist: true })
  try {
    return selectValue(database, `SELECT count(*) FROM meta WHERE key BETWEEN '1' AND '99'`)
  } finally {
    database.close()
  }
}

test('a start after a kill loses nothing and reports no damage', async t => {
  const file = await killedDatabase(t)
  assert.equal(await lostAtStart(file), 0)
  assert.equal(kept(file), COMMITS)
})

test('the start says how many commits a damaged write-ahead log has lost', async t => {
  const file = await killedDatabase(t)
  damage(`${file}-wal`, 12)
  assert.equal(await lostAtStart(file), COMMITS - 12)
  assert.equal(kept(file), 12)
})

test('a last commit that was cut off by a power failure is not damage', async t => {
  const file = await killedDatabase(t)
  damage(`${file}-wal`, COMMITS - 1)
  assert.equal(commitsLostToDamage(`${file}-wal`), 0)
  truncateSync(`${file}-wal`, HEADER_BYTES + (COMMITS - 1) * FRAME_BYTES + 100)
  assert.equal(await lostAtStart(file), 0)
  assert.equal(kept(file), COMMITS - 1)
})
