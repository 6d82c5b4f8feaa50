/** Distributes the rows of checks over the workers of Citus. Decision 0150. */
import { Refusal } from '../../../core/errors.js'
import { LOG_BEFORE } from '../../pings/log-before.js'
import type { Connection } from '../connection.js'
import {
  addConstraint,
  type Constraint,
  isPossible,
  readConstraints,
  readIndexes,
  substitutesOf,
} from './constraints.js'
import { CHECK_NAMES, DISTRIBUTED, RESERVED_IDS } from './layout.js'
import { REMOVED_CONSTRAINTS } from './notes.js'
import { readShards } from './shards.js'
import { createTwin, renameTable } from './twin.js'
import { type Exclusive, whileUnused } from './while-unused.js'

/** Receives the name of each table that is done, and how long it took (ms). */
export type OnTable = (name: string, durationMs: number) => void

/** Each more makes pings dearer; with one, a worker that is added later would have none to take over from it. */
const SHARDS_OF_WORKER = 2

/**
 * Distributes `checks` and the tables of their rows over the workers, in `shards` shards each (null: two for each worker),
 * all in one transaction; nothing if that was done before. Then the log of pings is empty: `moveLog` brings what it had.
 * Throws a `Refusal` if Citus is not installed or has no workers, or if a process of Punctual does not let go of the
 * database. Returns whether there was anything to do.
 */
export async function distribute(
  connection: Connection,
  shards: number | null,
  exclusive: Exclusive,
  onTable: OnTable = () => {},
): Promise<boolean> {
  const workers = await countWorkers(connection)
  if (await readShards(connection)) return false
  await whileUnused(connection, exclusive, async () => {
    // Another call may have distributed them in the meantime.
    if (await readShards(connection)) throw new Refusal('conflict', 'the tables were distributed just now')
    await connection.query(`SET LOCAL citus.shard_count = ${shards ?? SHARDS_OF_WORKER * workers}`)
    // Otherwise shards of tables without foreign keys are made over several connections, which then see different things.
    await connection.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
    await putLogAside(connection)
    await removeConstraints(connection)
    await connection.query(`ALTER TABLE pings ALTER COLUMN id SET INCREMENT BY ${RESERVED_IDS}`)
    for (const table of DISTRIBUTED) {
      const since = performance.now()
      await createDistributed(connection, table)
      onTable(table.name, performance.now() - since)
    }
    // The rows have been copied to the workers, but their old versions still take room here.
    await connection.query(`SELECT truncate_local_data_after_distributing_table('checks')`)
    for (const { name } of DISTRIBUTED)
      await connection.query('SELECT truncate_local_data_after_distributing_table($1)', [name])
    for (const text of CHECK_NAMES) await connection.query(text)
  })
  return true
}

/**
 * Removes, and notes for the way back, the constraints that the tables cannot have when they are distributed. Citus refuses most,
 * but not the foreign keys of a new table on the coordinator to a distributed one, whose rows it would look for in the wrong place.
 */
export async function removeConstraints(connection: Connection): Promise<void> {
  const removed = (await readConstraints(connection)).filter(
    one => one.table !== LOG_BEFORE && !isPossible(one),
  )
  const noted = await readRemoved(connection)
  await connection.query(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [REMOVED_CONSTRAINTS, JSON.stringify([...noted, ...removed])],
  )
  for (const { table, name } of removed)
    await connection.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const one of removed) for (const text of substitutesOf(one)) await connection.query(text)
}

/** The constraints that were removed. */
export async function readRemoved(connection: Connection): Promise<Constraint[]> {
  const { rows } = await connection.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [
    REMOVED_CONSTRAINTS,
  ])
  return JSON.parse(rows[0]?.value ?? '[]') as Constraint[]
}

async function createDistributed(connection: Connection, { name, column }: (typeof DISTRIBUTED)[number]) {
  const beside = name === 'checks' ? 'none' : 'checks'
  await connection.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
    name,
    column,
    beside,
  ])
}

/** Gives the log another name and puts an empty one in its place, so that only small tables are copied under locks. */
async function putLogAside(connection: Connection): Promise<void> {
  const ofLog = ({ table }: { table: string }) => table === 'pings'
  const constraints: Constraint[] = (await readConstraints(connection)).filter(ofLog)
  const indexes = (await readIndexes(connection)).filter(ofLog)
  const twin = await createTwin(connection, 'pings')
  await renameTable(connection, 'pings', LOG_BEFORE)
  for (const { name } of constraints)
    await connection.query(`ALTER TABLE ${LOG_BEFORE} RENAME CONSTRAINT ${name} TO ${LOG_BEFORE}_${name}`)
  for (const { name } of indexes) await connection.query(`DROP INDEX ${name}`)
  await renameTable(connection, twin, 'pings')
  for (const constraint of constraints) await addConstraint(connection, constraint)
  for (const { definition } of indexes) await connection.query(definition)
}

/** The number of workers. Throws a `Refusal` if the tables cannot be distributed over them. */
async function countWorkers(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ installed: number; partitioned: number }>(
    `SELECT (SELECT count(*) FROM pg_extension WHERE extname = 'citus') AS installed,
            (SELECT count(*) FROM pg_partitioned_table WHERE partrelid = 'pings'::regclass) AS partitioned`,
  )
  if (rows[0]!.installed === 0) throw new Refusal('invalid', 'the database does not have the extension citus')
  const { rows: workers } = await connection.query('SELECT FROM citus_get_active_worker_nodes()')
  if (workers.length === 0) {
    throw new Refusal('invalid', 'the coordinator has no workers: add them with citus_add_node')
  }
  if (rows[0]!.partitioned > 0)
    throw new Refusal('invalid', 'a log that is partitioned by time cannot be distributed')
  return workers.length
}
