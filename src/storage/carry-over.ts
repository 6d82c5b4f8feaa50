/** Databases from before migrations were recorded by name: they store the number of the last migration. */
import { Refusal } from '../core/errors.js'

/** The migration that created the tables of such a database. */
export const INITIAL = '0001_initial'

/** The last number in use. Databases with a lower one were never released. */
const LAST_NUMBER = 9

/** Replaces the number when a database is carried over, so that older versions of Punctual refuse it. */
export const NO_NUMBER = 1_000_000

/**
 * Throws a `Refusal` unless a database with this number and these columns (`table.column`) has the tables of the
 * initial migration, whose SQL is `initial`. Other tables do not matter.
 */
export function refuseUnlessCarriedOver(number: number, columns: readonly string[], initial: string): void {
  const expected = columnsIn(initial)
  const tables = new Set(expected.map(tableOf))
  const missing = expected.filter(column => !columns.includes(column))
  const unknown = columns.filter(column => tables.has(tableOf(column)) && !expected.includes(column))
  if (number === LAST_NUMBER && missing.length + unknown.length === 0) return
  const details = [
    `its schema has the number ${number}`,
    ...(missing.length > 0 ? [`it lacks ${list(missing)}`] : []),
    ...(unknown.length > 0 ? [`it has ${list(unknown)}`] : []),
  ]
  throw new Refusal(
    'conflict',
    `the database was made by an unreleased version of Punctual (${details.join(', ')}) and cannot be upgraded. Nothing was changed: go on using it with that version, or name another DATA_DIR or DATABASE_URL for a new database`,
  )
}

/** Every column in the tables that a migration creates, as `table.column`. */
export function columnsIn(sql: string): string[] {
  return [...sql.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)\n\)/gm)].flatMap(([, table, body]) =>
    [...body!.matchAll(/^ {2}"?([a-z]\w*)"? +[A-Z]/gm)].map(([, column]) => `${table}.${column}`),
  )
}

const tableOf = (column: string) => column.slice(0, column.indexOf('.'))

const list = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
