/** A database of Citus with data, to be distributed. */
import type { TestContext } from 'node:test'
import pg from 'pg'
import { COPIED_LAST, COPIED_TABLES } from '../../../../src/storage/copy/tables.js'
import { migratePostgres } from '../../../../src/storage/postgres/migrate.js'
import { openPostgresStore } from '../../../../src/storage/postgres/open.js'
import type { Store } from '../../../../src/storage/store.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { getTypeParser } from '../../../_support/postgres.js'
import { citusDatabase, workers } from '../../../_support/servers/postgres-server.js'
import { testSettings } from '../../../_support/worlds/store.js'

/** For tests that need Citus; see CONTRIBUTING.md. */
export const onCitus = workers().length > 0 ? {} : { skip: 'the server of the tests does not have Citus' }

export interface CitusWorld {
  url: string
  /** Runs one statement. */
  ask(text: string): Promise<Record<string, unknown>[]>
  /** Opens the store, for `work`. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>
}

/**
 * A database on a cluster with workers, migrated with `migrate` and not distributed. `reachedBy`: the addresses at which its
 * workers are reached.
 */
export async function citusWorld(
  t: TestContext,
  migrate: (url: string) => Promise<unknown> = migratePostgres,
  reachedBy?: readonly string[],
): Promise<CitusWorld> {
  const { url, drop } = await citusDatabase(reachedBy)
  t.after(drop)
  await migrate(url)
  return {
    url,
    async ask(text) {
      const client = new pg.Client({ connectionString: url, types: { getTypeParser } })
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    async withStore(work) {
      const store = await openPostgresStore(url, testSettings, { create: false })
      try {
        return await work(store)
      } finally {
        await store.close()
      }
    },
  }
}

/** Two projects with channels, checks and pings with bodies, one of which is down. Returns the UUIDs of the checks. */
export async function fill(store: Store, now: number): Promise<string[]> {
  const uuids: string[] = []
  const { id: ownerId } = await store.people.createUser({
    email: 'alice@example.org',
    passwordHash: 'x',
    now,
  })
  for (const pingKey of ['key', 'other']) {
    const { id: projectId } = await store.projects.create({ name: pingKey, ownerId, pingKey, now })
    await store.channels.create({
      ...{ projectId, name: '', kind: 'webhook', settings: { url_down: 'http://x/' }, members: [], now },
    })
    for (let index = 0; index < 20; index++) {
      const { check } = await store.checks.create(projectId, {
        changes: { name: `Job ${index}`, slug: `job-${index}` },
        unique: null,
        now,
      })
      uuids.push(check.uuid)
    }
  }
  const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  for (let round = 0; round < 5; round++)
    await store.pings.record(uuids.map(uuid => arrivedPing({ uuid }, now + round, { body })))
  await store.pings.record([arrivedPing({ uuid: uuids[3]! }, now + 9, { action: 'fail' })])
  return uuids
}

/** Every row of every table, as JSON. */
export async function allRows({ ask }: CitusWorld): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of [...COPIED_TABLES.map(table => table.name), ...COPIED_LAST]) {
    const found = await ask(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)
    rows[name] = found.map(({ row }) => row as string).sort()
  }
  return rows
}

/** The columns, constraints, indexes, options and sequences of all tables. */
export async function catalog({ ask }: CitusWorld): Promise<Record<string, unknown>> {
  const tables = `relnamespace = 'public'::regnamespace AND relkind = 'r'`
  return {
    columns: await ask(
      `SELECT relname, attname, format_type(atttypid, atttypmod) AS type, attnotnull, attidentity, attcollation,
              attstorage, pg_get_expr(adbin, adrelid) AS default
         FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
         LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
        WHERE ${tables} AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum`,
    ),
    options: await ask(`SELECT relname, reloptions FROM pg_class WHERE ${tables} ORDER BY 1`),
    constraints: await ask(
      `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
    indexes: await ask(
      `SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`,
    ),
    sequences: await ask(`SELECT * FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`),
  }
}
