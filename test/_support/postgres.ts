/**
 * Databases on the PostgreSQL server that bin/test.js started for this run. Creating one takes a quarter of a second,
 * emptying one a few milliseconds, so they are reused, also by other test files.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { withDatabase } from './servers/postgres-server.js'

export interface FreshDatabase {
  /** Through the pooler, if there is one. */
  url: string
  /** Directly to the server. */
  directUrl: string
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Returns the database for reuse, and cuts off open connections to it. */
  drop(): Promise<void>
}

/** A database with all tables and no rows, for this test only. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const template = templateUrl()
  const original = new URL(template).pathname.slice(1)
  const admin = withDatabase(template, 'postgres')
  const name = `${original}_used_${randomBytes(6).toString('hex')}`
  await connected(admin, async query => {
    if (!(await takeFree(query, original, name))) {
      await query(`CREATE DATABASE ${name} TEMPLATE ${original}`)
    }
  })
  const url = withDatabase(template, name)
  const pooler = process.env.PUNCTUAL_TEST_POOLER
  return {
    url: pooler ? withDatabase(pooler, name) : url,
    directUrl: url,
    query: sql => connected(url, query => query(sql)),
    async drop() {
      await connected(url, async query => {
        await query(DISCONNECT_OTHERS)
        await query(EMPTY)
      })
      const free = name.replace('_used_', '_free_')
      await connected(admin, query => query(`ALTER DATABASE ${name} RENAME TO ${free}`))
    },
  }
}

/** A database is taken by renaming it, which only one process can do. */
async function takeFree(query: Query, original: string, name: string): Promise<boolean> {
  const free = await query(`SELECT datname FROM pg_database WHERE starts_with(datname, '${original}_free_')`)
  for (const { datname } of free) {
    try {
      await query(`ALTER DATABASE ${datname} RENAME TO ${name}`)
      return true
    } catch {
      // Another process was faster.
    }
  }
  return false
}

const DISCONNECT_OTHERS = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()`

/**
 * Deletes all rows and restarts the IDs at 1, from the newest table to the oldest, because rows are deleted before
 * those that they reference.
 */
const EMPTY = `DO $$
DECLARE name text;
BEGIN
  FOR name IN SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'
    ORDER BY oid DESC
  LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
  PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S';
END $$`

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
