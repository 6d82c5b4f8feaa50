/** Reads the database of a Healthchecks installation, on either engine, without changing it. */
import { open } from 'node:fs/promises'
import { Refusal } from '../../core/errors.js'
import {
  type ColumnFate,
  type ColumnType,
  SOURCE_TABLES,
  type SourceRow,
  type SourceTable,
} from '../../core/import/source-schema.js'
import type { Reader } from './reader.js'

export interface Source {
  /** The columns of each table that the database has. */
  tables: ReadonlyMap<string, readonly string[]>
  /**
   * The rows of a table, in the order of its IDs. `after`: only those with a greater ID. Rejects with a `Refusal` that
   * names the row if a value is not of its type, which SQLite does not prevent.
   */
  page<T extends SourceTable>(table: T, after: number, limit: number): Promise<SourceRow<T>[]>
  /** The rows of a table whose `column` is one of these values, in the order of its IDs. */
  rowsOf<T extends SourceTable>(
    table: T,
    column: keyof SourceRow<T> & string,
    values: readonly number[],
  ): Promise<SourceRow<T>[]>
  count(table: SourceTable): Promise<number>
  /** The newest sessions, as Django signed them with the `SECRET_KEY` of the source. */
  sessions(): Promise<string[]>
  close(): Promise<void>
}

/**
 * Opens the database at `address` (a file, `sqlite:FILE` or `postgres://…`) for reading. Throws a `Refusal` if there is
 * none, if it is not one of Healthchecks, or if it is a dump or MySQL, with what to do instead.
 */
export async function openSource(address: string): Promise<Source> {
  await refuseOthers(address)
  const isPostgres = /^postgres(ql)?:\/\//.test(address)
  const reader = isPostgres
    ? await (await import('./postgres-source.js')).readPostgres(address)
    : await (await import('./sqlite-source.js')).readSqlite(address.replace(/^sqlite:/, ''))
  try {
    return await sourceOf(reader, isPostgres)
  } catch (error) {
    await reader.close()
    throw error
  }
}

/** The types whose values are numbers. */
const NUMBERS: ReadonlySet<ColumnType> = new Set(['instant', 'duration', 'int'])

const GUIDE = 'docs/moving-from-healthchecks.md says how'

async function refuseOthers(address: string): Promise<void> {
  if (/^(mysql|mariadb)2?:/i.test(address))
    throw new Refusal('invalid', `MySQL is not read: let Healthchecks copy its data into SQLite; ${GUIDE}`)
  if (/^postgres(ql)?:/i.test(address)) return
  const begin = await beginningOf(address.replace(/^sqlite:/, ''))
  if (/^-- (MySQL|MariaDB) dump|^\/\*M?!\d+/.test(begin))
    throw new Refusal(
      'invalid',
      `${address} is a dump of MySQL, which is not read: let Healthchecks copy its data into SQLite; ${GUIDE}`,
    )
  if (/^PGDMP|^--\s*-- PostgreSQL database dump/.test(begin))
    throw new Refusal(
      'invalid',
      `${address} is a dump of PostgreSQL: restore it into a database, and give its address, postgres://…`,
    )
}

/** The first characters of a file; empty if it cannot be read, which the reader says. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch(() => null)
  if (file === null) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

async function sourceOf(reader: Reader, isPostgres: boolean): Promise<Source> {
  const tables = await tablesOf(reader, isPostgres)
  const missing = Object.keys(SOURCE_TABLES).filter(
    table => !tables.has(table) && table !== 'accounts_credential',
  )
  if (missing.length > 0) {
    throw new Refusal('invalid', `this is not a database of Healthchecks: it has no table ${missing[0]}`)
  }
  const read = async <T extends SourceTable>(table: T, condition: string): Promise<SourceRow<T>[]> => {
    const known = tables.get(table) ?? []
    const fates = Object.entries(SOURCE_TABLES[table] as Record<string, ColumnFate>)
    if (known.length === 0) return []
    const present = fates.filter(([name]) => known.includes(name))
    const list = present.map(([name, { type }]) => `${reader.select(name, type)} AS "${name}"`).join(', ')
    const rows = await reader.rows(`SELECT ${list} FROM "${table}" ${condition}`)
    return rows.map(row => {
      const made: Record<string, unknown> = {}
      for (const [name, { type }] of fates) {
        const given = row[name]
        made[name] = given === null || given === undefined ? null : reader.value(given, type)
        if (NUMBERS.has(type) && made[name] !== null && !Number.isFinite(made[name])) {
          const wrong = `${table}.${name} of row ${row.id} is “${String(given).slice(0, 40)}”`
          throw new Refusal('invalid', `the database of Healthchecks is damaged: ${wrong}`)
        }
      }
      return made as SourceRow<T>
    })
  }
  return {
    tables,
    page: async (table, after, limit) => await read(table, `WHERE id > ${after} ORDER BY id LIMIT ${limit}`),
    rowsOf: async (table, column, values) =>
      values.length === 0 ? [] : await read(table, `WHERE "${column}" IN (${values.join(',')}) ORDER BY id`),
    async count(table) {
      if (!tables.has(table)) return 0
      const [row] = await reader.rows(`SELECT count(*) AS n FROM "${table}"`)
      return Number(row!.n)
    },
    async sessions() {
      if (!tables.has('django_session')) return []
      const rows = await reader.rows(
        'SELECT session_data AS data FROM django_session ORDER BY expire_date DESC LIMIT 20',
      )
      return rows.map(({ data }) => String(data))
    },
    close: async () => await reader.close(),
  }
}

async function tablesOf(reader: Reader, isPostgres: boolean): Promise<Map<string, string[]>> {
  const rows = await reader.rows(
    isPostgres
      ? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = current_schema()`
      : `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
  )
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows as { table: string; column: string }[]) {
    tables.set(table, [...(tables.get(table) ?? []), column])
  }
  return tables
}
