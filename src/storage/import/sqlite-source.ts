import { Refusal } from '../../core/errors.js'
import { sqliteEngine } from '../sqlite/engines/index.js'
import type { Reader } from './reader.js'

/** Reads a SQLite file as it is at one instant. Throws a `Refusal` if it cannot be opened. */
export async function readSqlite(file: string): Promise<Reader> {
  const database = open(file)
  return {
    rows: async sql => database.prepare(sql).all() as Record<string, unknown>[],
    select: column => `"${column}"`,
    value(given, type) {
      if (type === 'instant') return microsecondsOf(String(given))
      if (type === 'uuid') return dashed(String(given))
      if (type === 'flag') return Boolean(given)
      return type === 'text' ? String(given) : given
    },
    close: async () => database.close(),
  }
}

function open(file: string) {
  try {
    const database = sqliteEngine().open(file, { mustExist: true })
    database.exec('PRAGMA query_only = ON')
    // Everything is read in one transaction, so that a server that goes on writing does not matter.
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (error) {
    throw new Refusal('invalid', `${file} cannot be read as a SQLite database: ${(error as Error).message}`)
  }
}

/** Microseconds of an instant as Django stores it: `2026-11-21 22:14:09.356809`, in UTC. */
function microsecondsOf(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  const seconds = Date.parse(`${whole.replace(' ', 'T')}Z`) / 1000
  return seconds * 1e6 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function dashed(hex: string): string {
  return hex.includes('-') ? hex : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
