/** Databases on the PostgreSQL server of this run of the tests, which bin/test.js started. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { withDatabase } from './postgres-server.js'

export interface FreshDatabase {
  url: string
  query(sql: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** A database of the caller's own with all tables and no rows. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const template = templateUrl()
  const admin = withDatabase(template, 'postgres')
  const original = new URL(template).pathname.slice(1)
  const name = `${original}_${randomBytes(6).toString('hex')}`
  await run(admin, `CREATE DATABASE ${name} TEMPLATE ${original}`)
  const url = withDatabase(template, name)
  return {
    url,
    query: sql => run(url, sql),
    async drop() {
      await run(admin, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

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
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

function templateUrl(): string {
  const url = process.env.PUNCTUAL_TEST_TEMPLATE
  if (!url) throw new Error('there is no PostgreSQL server: run the tests through `npm test`')
  return url
}
