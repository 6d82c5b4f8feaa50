/** Migrations of a database that is distributed already. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIGRATIONS_TABLE, migrations } from '../../../../src/storage/migrate.js'
import {
  distributePostgres,
  migratePostgres,
  undistributePostgres,
} from '../../../../src/storage/postgres/migrate.js'
import { translateMigration } from '../../../../src/storage/postgres/translate-migration.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { catalog, citusWorld, onCitus } from './citus-world.js'

const now = Date.UTC(2026, 0, 15, 12)

/** The last migration that is applied before the distribution. A later one adds a column to a distributed table, and indexes. */
const BEFORE = '0045'

test(
  'a distributed database is migrated, and comes back as one that was never distributed',
  onCitus,
  async t => {
    const { sequences: _, ...tables } = await catalog(await citusWorld(t))
    const world = await citusWorld(t, async () => {})
    const old = migrations().filter(({ name }) => name.slice(0, 4) <= BEFORE)
    await world.ask(translateMigration(MIGRATIONS_TABLE))
    for (const { name, sql } of old)
      await world.ask(`${translateMigration(sql)}; INSERT INTO migrations VALUES ('${name}', 0)`)
    await distributePostgres(world.url, 4)
    const later = migrations().slice(old.length)
    assert.deepEqual(
      await migratePostgres(world.url),
      later.map(({ name }) => name),
    )
    await world.withStore(async store => {
      await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now })
      const ping = arrivedPing({ pingKey: 'key', slug: 'new', create: true }, now)
      assert.deepEqual((await store.pings.record([ping])).outcomes, ['created'])
      assert.deepEqual((await store.pings.record([{ ...ping, arrivedAt: now + 1 }])).outcomes, ['ok'])
    })
    await undistributePostgres(world.url)
    const { sequences: _own, ...migrated } = await catalog(world)
    assert.deepEqual(migrated, tables)
  },
)
