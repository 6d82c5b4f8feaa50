/** Copying into a distributed database and out of one. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyDatabase } from '../../../../src/storage/copy/copy-database.js'
import { openSide } from '../../../../src/storage/copy/side.js'
import { distributePostgres, undistributePostgres } from '../../../../src/storage/postgres/migrate.js'
import { openSqliteStore } from '../../../../src/storage/sqlite/open.js'
import type { Store } from '../../../../src/storage/store.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { tempFolder, testSettings } from '../../../_support/worlds/store.js'
import { citusWorld, fill, onCitus } from './citus-world.js'

const now = Date.UTC(2026, 0, 15, 12)

async function copy(from: string, to: string): Promise<void> {
  const source = await openSide(from, { create: false })
  const target = await openSide(to, { create: true })
  try {
    await copyDatabase(source, target, now + 3_600_000, () => {})
  } finally {
    await source.close()
    await target.close()
  }
}

async function pingBySlug(store: Store, at: number): Promise<unknown> {
  const target = { pingKey: 'other', slug: 'job-7', create: false }
  return (await store.pings.record([arrivedPing(target, at)])).outcomes
}

test('a database is copied into a distributed one, and on from there', onCitus, async t => {
  const folder = await tempFolder(t)
  const files = ['one.db', 'two.db'].map(name => join(folder, name))
  const [first, last] = await Promise.all(
    files.map(file => openSqliteStore(file, testSettings, { create: true })),
  )
  await fill(first!, now)
  await Promise.all([first!.close(), last!.close()])
  const world = await citusWorld(t)
  await distributePostgres(world.url, 4)
  await copy(`sqlite:${files[0]}`, world.url)
  await world.withStore(async store => {
    assert.deepEqual(await pingBySlug(store, now + 10), ['ok'])
    await store.checks.create(1, { changes: {}, unique: null, now })
  })
  await copy(world.url, `sqlite:${files[1]}`)
  const copied = await openSqliteStore(files[1]!, testSettings, { create: false })
  assert.deepEqual(await pingBySlug(copied, now + 20), ['ok'])
  await copied.close()
  assert.equal(await undistributePostgres(world.url), true)
  await world.withStore(async store => {
    assert.deepEqual(await pingBySlug(store, now + 30), ['ok'])
  })
})

test('a log that is still being moved is not copied', onCitus, async t => {
  const world = await citusWorld(t)
  await world.withStore(store => fill(store, now))
  const killed = () => {
    throw new Error('killed')
  }
  await assert.rejects(distributePostgres(world.url, 4, { onReady: killed }), /killed/)
  await assert.rejects(openSide(world.url, { create: false }), /log of pings is still being moved/)
})
