import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { arrivedPing } from '../arrived-ping.js'
import { freshDatabase } from '../postgres.js'
import { testSettings } from './store.js'
import { StoreHarness } from './store-harness.js'

/** Two projects on PostgreSQL, and a connection with which another program locks rows. */
export class LockedRows {
  private constructor(
    readonly alice: StoreHarness,
    readonly bob: StoreHarness,
    readonly query: (sql: string) => Promise<Record<string, unknown>[]>,
    /** The address of the database. */
    readonly url: string,
    private readonly other: pg.Client,
  ) {}

  static async open(t: TestContext): Promise<LockedRows> {
    const database = await freshDatabase()
    const store = await openPostgresStore(database.url, testSettings, { create: true })
    const other = new pg.Client({ connectionString: database.directUrl })
    await other.connect()
    t.after(async () => {
      await other.end()
      await store.close()
      await database.drop()
    })
    const project = async (name: string, pingKey: string) =>
      new StoreHarness(store, (await store.projects.create({ name, ownerId: null, pingKey, now: 1 })).id)
    const { ask, directUrl } = database
    return new LockedRows(await project('Alice', 'key'), await project('Bob', 'bob'), ask, directUrl, other)
  }

  get store() {
    return this.alice.store
  }

  /** Locks the rows of `table` for which `condition` is true. The returned function ends that. */
  async lock(table: string, condition: string): Promise<() => Promise<void>> {
    return await this.lockEach([{ name: table, condition }])
  }

  /** Does so with several tables. */
  async lockEach(tables: readonly { name: string; condition: string }[]): Promise<() => Promise<void>> {
    await this.other.query('BEGIN')
    for (const { name, condition } of tables) {
      const { rowCount } = await this.other.query(`SELECT 1 FROM ${name} WHERE ${condition} FOR UPDATE`)
      assert.ok(rowCount, `no row of ${name} to lock`)
    }
    return async () => {
      await this.other.query('COMMIT')
    }
  }

  /** Locks a table, so that nobody reads it either. The returned function ends that. */
  async lockTable(name: string): Promise<() => Promise<void>> {
    await this.other.query(`BEGIN; LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`)
    return async () => {
      await this.other.query('COMMIT')
    }
  }
}

/** Creates a check that goes down two minutes after its last success, which is now. Returns its UUID. */
export async function addCheck(scene: StoreHarness, name: string): Promise<string> {
  const changes = { name, slug: name, periodSeconds: 60, graceSeconds: 60 }
  const { check } = await scene.store.checks.create(scene.projectId, { changes, unique: null, now: 1 })
  await scene.store.pings.record([arrivedPing({ uuid: check.uuid }, scene.now)])
  return check.uuid
}
