/** Direct access to the database of a program: the same statements on both engines, with `?` for values. */
import { join } from 'node:path'
import pg from 'pg'
import { sqliteEngine } from '../src/storage/sqlite/engines/index.js'

type Value = string | number

export interface Database {
  /** Runs a statement and returns its first value, if any. */
  value(statement: string, ...values: Value[]): Promise<unknown>
  close(): Promise<void>
}

/** Opens the PostgreSQL database at `url`, or, without `url`, the SQLite database in `folder`. */
export async function openBeside(folder: string, url?: string): Promise<Database> {
  return url === undefined ? openSqlite(folder) : await openPostgres(url)
}

function openSqlite(folder: string): Database {
  const database = sqliteEngine().open(join(folder, 'punctual.db'), { mustExist: true })
  return {
    async value(statement, ...values) {
      const prepared = database.prepare(statement)
      if (prepared.reader) return prepared.arrays(...values)[0]?.[0]
      prepared.run(...values)
      return undefined
    },
    close: async () => database.close(),
  }
}

async function openPostgres(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async value(statement, ...values) {
      let place = 0
      const text = statement.replace(/\?/g, () => `$${++place}`)
      const { rows } = await client.query({ text, values, rowMode: 'array' })
      return rows[0]?.[0]
    },
    close: async () => await client.end(),
  }
}
