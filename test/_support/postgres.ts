/**
 * Databases on the PostgreSQL server that bin/test.js started for this run. Creating one takes a quarter of a second,
 * emptying one a few milliseconds, so they are reused, at first by the tests of the same process, and
 * after its end by others.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { atEnd } from './at-end.js'
import { withDatabase, workers } from './servers/postgres-server.js'

export interface FreshDatabase {
  /** Through the pooler, if there is one. */
  url: string
  /** Directly to the server. */
  directUrl: string
  /** Runs SQL on a connection of its own. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Runs SQL that needs no connection of its own, one statement after the other. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** Returns the database for reuse, and cuts off open connections to it. */
  drop(): Promise<void>
}

/** A database with all tables and no rows, for this test only. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { url, keeper } = free.pop() ?? (await takeDatabase())
  const pooler = process.env.PUNCTUAL_TEST_POOLER
  return {
    url: pooler ? withDatabase(pooler, new URL(url).pathname.slice(1)) : url,
    directUrl: url,
    query: sql => connected(url, query => query(sql)),
    ask: sql => keeper.ask(sql),
    async drop() {
      // The one that writes last must be gone before the tables are emptied.
      while ((await keeper.ask(DISCONNECT_OTHERS)).length > 0) await sleep(5)
      await keeper.ask(workers().length > 0 ? EMPTY_DISTRIBUTED + EMPTY : EMPTY)
      free.push({ url, keeper })
    },
  }
}

interface OwnDatabase {
  url: string
  keeper: Keeper
}

/** The emptied databases of this process. */
const free: OwnDatabase[] = []

async function takeDatabase(): Promise<OwnDatabase> {
  const template = templateUrl()
  const original = new URL(template).pathname.slice(1)
  const admin = withDatabase(template, 'postgres')
  const name = `${original}_used_${randomBytes(6).toString('hex')}`
  await connected(admin, async query => {
    if (workers().length > 0 || !(await takeFree(query, original, name))) {
      await query(`CREATE DATABASE ${name} TEMPLATE ${original}`)
    }
  })
  for (const worker of workers()) {
    await connected(worker, query => query(`CREATE DATABASE ${name} TEMPLATE ${original}`))
  }
  const url = withDatabase(template, name)
  const keeper = new Keeper(url)
  // Distributing leaves notes, which a test would see only in a database that no other test has had.
  if (workers().length > 0) await keeper.ask(EMPTY)
  return { url, keeper }
}

/** A database of an earlier process is taken by renaming it, which only one process can do. */
async function takeFree(query: Query, original: string, name: string): Promise<boolean> {
  const left = await query(`SELECT datname FROM pg_database WHERE starts_with(datname, '${original}_free_')`)
  for (const { datname } of left) {
    try {
      await query(`ALTER DATABASE ${datname} RENAME TO ${name}`)
      return true
    } catch {
      // Another process was faster.
    }
  }
  return false
}

atEnd(async () => {
  // On Citus a database in use cannot be renamed, because the extension itself is connected to it.
  if (free.length === 0 || workers().length > 0) return
  await connected(withDatabase(templateUrl(), 'postgres'), async query => {
    for (const { url, keeper } of free.splice(0)) {
      await keeper.close()
      const name = new URL(url).pathname.slice(1)
      await query(`ALTER DATABASE ${name} RENAME TO ${name.replace('_used_', '_free_')}`)
    }
  })
})

/** A connection that is kept from one test to the next, since opening one costs the server more than emptying all tables. */
class Keeper {
  /** Statements that are asked at once share it. */
  #client: Promise<KeptClient> | null = null
  #asked = 0

  constructor(private readonly url: string) {}

  /** Runs a statement, again on a new connection if a test has cut off the kept one. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    const kept = this.#client
    try {
      return await this.#askOn(await this.#connected(), sql)
    } catch (error) {
      if (!kept || (error instanceof pg.DatabaseError && error.code !== ADMIN_SHUTDOWN)) throw error
      // Another statement may have opened a new one already.
      if (this.#client === kept) await this.close()
      return await this.#askOn(await this.#connected(), sql)
    }
  }

  /** The connection keeps the process running only while it has something to do. */
  async #askOn(client: KeptClient, sql: string): Promise<Record<string, unknown>[]> {
    if (this.#asked++ === 0) client.ref()
    try {
      return (await client.query(sql)).rows
    } finally {
      if (--this.#asked === 0) client.unref()
    }
  }

  #connected(): Promise<KeptClient> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<KeptClient> {
    const client = new pg.Client({ connectionString: this.url, types: { getTypeParser } }) as KeptClient
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.then(one => one.end()).catch(() => {})
  }
}

/** How the server ends a connection that another one terminates. */
const ADMIN_SHUTDOWN = '57P01'

/** The types lack these methods of the driver. */
type KeptClient = pg.Client & { ref(): void; unref(): void }

const DISCONNECT_OTHERS = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`

/**
 * Deletes all rows and restarts the IDs at 1, from the newest table to the oldest, because rows are deleted before
 * those that they reference. A table without a page has never had a row. The rows that were deleted from a large one would still be
 * read by the tests that follow, for seconds where a query joins the table without its index.
 */
const EMPTY = `DO $$
DECLARE name text; size bigint;
BEGIN
  FOR name, size IN SELECT relname, pg_relation_size(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'
      AND pg_relation_size(oid) > 0
    ORDER BY oid DESC
  LOOP
    IF size > 1000000 THEN EXECUTE format('TRUNCATE %I CASCADE', name);
    ELSE EXECUTE format('DELETE FROM %I', name);
    END IF;
  END LOOP;
  PERFORM setval(oid::regclass, 1, false) FROM pg_class
    WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace;
END $$`

/** The rows of distributed tables are in other relations, whose size is not known here. */
const EMPTY_DISTRIBUTED = `DO $$
DECLARE name text;
BEGIN
  FOR name IN SELECT logicalrelid::text FROM pg_dist_partition ORDER BY logicalrelid DESC
  LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$;
`

type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** Does `work` on a connection of its own. */
async function connected<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } })
  await client.connect()
  try {
    return await work(async sql => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

/** Parses large integers as numbers, as on SQLite. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

function templateUrl(): string {
  const url = process.env.PUNCTUAL_TEST_TEMPLATE
  if (!url) throw new Error('there is no PostgreSQL server: run the tests through `npm test`')
  return url
}
