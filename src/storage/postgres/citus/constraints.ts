/** The constraints and indexes of tables, and which of them a distributed table can have. */
import type { Connection } from '../connection.js'
import { DISTRIBUTED } from './layout.js'

/** A constraint of a table as it is on one server. */
export interface Constraint {
  table: string
  name: string
  kind: 'f' | 'p' | 'u'
  /** As `ALTER TABLE … ADD CONSTRAINT` takes it. */
  definition: string
}

/** An index that no constraint made. */
export interface Index {
  table: string
  name: string
  /** The statement that makes it. */
  definition: string
}

/** The keys, unique and foreign keys of all tables. */
export async function readConstraints(connection: Connection): Promise<Constraint[]> {
  const { rows } = await connection.query<Constraint>(
    `SELECT conrelid::regclass::text AS table, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint
      WHERE contype IN ('f', 'p', 'u') AND connamespace = current_schema()::regnamespace
      ORDER BY contype, conname`,
  )
  return rows
}

/** The indexes of the distributed tables, or of those that are to be distributed. */
export async function readIndexes(connection: Connection): Promise<Index[]> {
  const { rows } = await connection.query<Index>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index
      WHERE indrelid::regclass::text = ANY($1::text[])
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
      ORDER BY 2`,
    [DISTRIBUTED.map(({ name }) => name)],
  )
  return rows
}

export async function addConstraint(connection: Connection, constraint: Constraint): Promise<void> {
  const { table, name, definition } = constraint
  await connection.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
}

/** The column by which a table is distributed; undefined if it stays on the coordinator. */
export function columnOf(table: string): string | undefined {
  return DISTRIBUTED.find(({ name }) => name === table)?.column
}

/** Whether a table can keep a constraint when it is distributed. */
export function isPossible({ table, kind, definition }: Constraint): boolean {
  const column = columnOf(table)
  if (kind !== 'f') return column === undefined || columnsOf(definition).includes(column)
  const target = /REFERENCES (\w+)/.exec(definition)![1]!
  if (column === undefined) return columnOf(target) === undefined
  return columnOf(target) !== undefined && columnsOf(definition).includes(column)
}

/** The statements that give a table what it gets instead of a constraint that it cannot keep, under the same name. */
export function substitutesOf({ table, name, kind, definition }: Constraint): string[] {
  const columns = columnsOf(definition).join(', ')
  if (kind === 'p')
    return [`ALTER TABLE ${table} ADD CONSTRAINT ${name} PRIMARY KEY (${columnOf(table)}, ${columns})`]
  if (kind === 'u') return [`CREATE INDEX ${name} ON ${table} (${columns})`]
  return []
}

/** The statement that deletes what a foreign key would have deleted while it was absent; null if it would have deleted nothing. */
export function lateCascade({ table, definition }: Constraint): string | null {
  const found = /^FOREIGN KEY \((\w+)\) REFERENCES (\w+)\((\w+)\) ON DELETE CASCADE/.exec(definition)
  if (!found) return null
  const [, column, target, key] = found
  return `DELETE FROM ${table} t WHERE t.${column} IS NOT NULL
            AND NOT EXISTS (SELECT FROM ${target} o WHERE o.${key} = t.${column})`
}

/** The columns of the constraint itself. */
function columnsOf(definition: string): string[] {
  return /\(([^)]*)\)/.exec(definition)![1]!.split(', ')
}
