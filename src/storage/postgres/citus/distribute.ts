/** Distributes the rows of checks over the workers of Citus, and brings them back. Decision 0150. */
import { Refusal } from '../../../core/errors.js'
import type { Connection } from '../connection.js'
import { CHECK_NAMES, DISTRIBUTED, RESERVED_IDS } from './layout.js'
import { readShards } from './shards.js'

/** A constraint of the tables as they are on one server. */
interface Constraint {
  table: string
  name: string
  kind: 'f' | 'p' | 'u'
  /** As `ALTER TABLE … ADD CONSTRAINT` takes it. */
  definition: string
}

/** Where the constraints are noted that distributed tables cannot have. */
const NOTED = 'constraints_before_distribution'

/**
 * Distributes `checks` and the tables of their rows over the workers, in `shards` shards each; nothing if that was done before.
 * All in one transaction, which holds up writes to these tables. Throws a `Refusal` if Citus is not installed or has no workers.
 * Returns whether there was anything to do.
 */
export async function distribute(connection: Connection, shards: number): Promise<boolean> {
  await requireWorkers(connection)
  if (await readShards(connection)) return false
  await inTransaction(connection, async () => {
    await connection.query(`SET LOCAL citus.shard_count = ${shards}`)
    // Otherwise shards of tables without foreign keys are made over several connections, which then see different things.
    await connection.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
    const constraints = await readConstraints(connection)
    const removed = constraints.filter(one => !isPossible(one))
    await connection.query('INSERT INTO meta (key, value) VALUES ($1, $2)', [NOTED, JSON.stringify(removed)])
    for (const { table, name } of removed)
      await connection.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
    for (const one of removed) for (const text of substitutesOf(one)) await connection.query(text)
    await connection.query(`ALTER TABLE pings ALTER COLUMN id SET INCREMENT BY ${RESERVED_IDS}`)
    for (const { name, column } of DISTRIBUTED) {
      const beside = name === 'checks' ? 'none' : 'checks'
      await connection.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
        name,
        column,
        beside,
      ])
    }
    for (const text of CHECK_NAMES) await connection.query(text)
  })
  return true
}

/** Brings everything back to the coordinator; nothing if nothing is distributed. Returns whether there was anything to do. */
export async function bringBack(connection: Connection): Promise<boolean> {
  if (!(await readShards(connection))) return false
  await inTransaction(connection, async () => {
    const { rows } = await connection.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [
      NOTED,
    ])
    const removed = JSON.parse(rows[0]!.value) as Constraint[]
    await connection.query('DROP TABLE check_names')
    await connection.query(`SELECT undistribute_table('checks', cascade_via_foreign_keys => true)`)
    for (const { name } of DISTRIBUTED) {
      if (await isDistributed(connection, name))
        await connection.query('SELECT undistribute_table($1)', [name])
    }
    for (const { kind, table, name } of removed) {
      if (kind === 'p') await connection.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
      if (kind === 'u') await connection.query(`DROP INDEX ${name}`)
    }
    // Keys first, to which the others refer.
    for (const { table, name, definition } of removed.toSorted((a, b) => order(a) - order(b))) {
      await connection.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    }
    await connection.query('ALTER TABLE pings ALTER COLUMN id SET INCREMENT BY 1')
    await connection.query('DELETE FROM meta WHERE key = $1', [NOTED])
  })
  return true
}

function order({ kind }: Constraint): number {
  return kind === 'f' ? 1 : 0
}

async function requireWorkers(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ installed: number }>(
    `SELECT count(*) AS installed FROM pg_extension WHERE extname = 'citus'`,
  )
  if (rows[0]!.installed === 0) throw new Refusal('invalid', 'the database does not have the extension citus')
  const { rows: workers } = await connection.query('SELECT FROM citus_get_active_worker_nodes()')
  if (workers.length === 0) {
    throw new Refusal('invalid', 'the coordinator has no workers: add them with citus_add_node')
  }
}

async function isDistributed(connection: Connection, table: string): Promise<boolean> {
  const { rows } = await connection.query(
    'SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)',
    [table],
  )
  return rows.length > 0
}

async function readConstraints(connection: Connection): Promise<Constraint[]> {
  const { rows } = await connection.query<Constraint>(
    `SELECT conrelid::regclass::text AS table, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint
      WHERE contype IN ('f', 'p', 'u') AND connamespace = 'public'::regnamespace
      ORDER BY contype, conname`,
  )
  return rows
}

const columnOf = (table: string) => DISTRIBUTED.find(({ name }) => name === table)?.column

/** Whether a table can keep a constraint. */
function isPossible({ table, kind, definition }: Constraint): boolean {
  const column = columnOf(table)
  if (kind !== 'f') return column === undefined || columnsOf(definition).includes(column)
  const target = /REFERENCES (\w+)/.exec(definition)![1]!
  if (column === undefined) return columnOf(target) === undefined
  return columnOf(target) !== undefined && columnsOf(definition).includes(column)
}

/** What a table gets instead of a constraint that it cannot keep. */
function substitutesOf({ table, name, kind, definition }: Constraint): string[] {
  const columns = columnsOf(definition).join(', ')
  if (kind === 'p')
    return [`ALTER TABLE ${table} ADD CONSTRAINT ${name} PRIMARY KEY (${columnOf(table)}, ${columns})`]
  if (kind === 'u') return [`CREATE INDEX ${name} ON ${table} (${columns})`]
  return []
}

/** The columns of the constraint itself. */
function columnsOf(definition: string): string[] {
  return /\(([^)]*)\)/.exec(definition)![1]!.split(', ')
}

async function inTransaction(connection: Connection, work: () => Promise<void>): Promise<void> {
  connection.liftTimeLimit()
  await connection.query('BEGIN')
  try {
    await work()
    await connection.query('COMMIT')
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {})
    throw error
  }
}
