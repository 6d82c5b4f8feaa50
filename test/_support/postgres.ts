/**
 * Databases on the PostgreSQL server of this run of the tests, which bin/test.js started. Making one takes a
 * quarter of a second, emptying one a few milliseconds: so they are passed on, also between test files.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { withDatabase } from './servers/postgres-server.js'

export interface FreshDatabase {
  /** Through the pooler, where there is one. */
  url: string
  /** Straight to the server. */
  directUrl: string
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Gives the database back. Whoever is still connected to it is cut off. */
  drop(): Promise<void>
}

/** A database of the caller's own with all tables and no rows. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const template = templateUrl()
  const original = new URL(template).pathname.slice(1)
  const admin = withDatabase(template, 'postgres')
  const name = `${original}_used_${randomBytes(6).toString('hex')}`
  if (!(await takeFree(admin, original, name))) {
    await run(admin, `CREATE DATABASE ${name} TEMPLATE ${original}`)
  }
  const url = withDatabase(template, name)
  const pooler = process.env.PUNCTUAL_TEST_POOLER
  return {
    url: pooler ? withDatabase(pooler, name) : url,
    directUrl: url,
    query: sql => run(url, sql),
    async drop() {
      await run(url, DISCONNECT_OTHERS)
      await run(url, EMPTY)
      await run(admin, `ALTER DATABASE ${name} RENAME TO ${name.replace('_used_', '_free_')}`)
    },
  }
}

/** A database is taken by renaming it, which only one can do. */
async function takeFree(admin: string, original: string, name: string): Promise<boolean> {
  const free = await run(
    admin,
    `SELECT datname FROM pg_database WHERE starts_with(datname, '${original}_free_')`,
  )
  for (const { datname } of free) {
    try {
      await run(admin, `ALTER DATABASE ${datname} RENAME TO ${name}`)
      return true
    } catch {
      // Somebody else was quicker.
    }
  }
  return false
}

const DISCONNECT_OTHERS = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** Deletes every row and counts from 1 again, from the newest table to the oldest: what refers to rows comes before them. */
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

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Numbers of any size as numbers, as in SQLite. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

function templateUrl(): string {
  const url = process.env.PUNCTUAL_TEST_TEMPLATE
  if (!url) throw new Error('there is no PostgreSQL server: run the tests through `npm test`')
  return url
}
