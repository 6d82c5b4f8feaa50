/** Brings the rows of checks back from the workers of Citus to the coordinator. Decision 0150. */
import { LOG_BEFORE } from '../../pings/log-before.js'
import type { Connection } from '../connection.js'
import { addConstraint, columnOf, lateCascade, readConstraints, readIndexes } from './constraints.js'
import { type OnTable, readRemoved } from './distribute.js'
import { DISTRIBUTED } from './layout.js'
import { dropRestOfLog, isLogMoving, restOfLog } from './move-log.js'
import { REMOVED_CONSTRAINTS } from './notes.js'
import { readShards } from './shards.js'
import { columnsOfTable, createTwin, renameTable } from './twin.js'
import { type Exclusive, whileUnused } from './while-unused.js'

const TABLES = DISTRIBUTED.map(({ name }) => name).join(', ')

/**
 * Brings all rows back to the coordinator, in one transaction, into tables as they were before; nothing if nothing is
 * distributed. Citus itself (`undistribute_table`) refuses tables with identity columns. Throws a `Refusal` if a process of
 * Punctual does not let go of the database. Returns whether there was anything to do.
 */
export async function bringBack(
  connection: Connection,
  exclusive: Exclusive,
  onTable: OnTable = () => {},
): Promise<boolean> {
  if (!(await readShards(connection))) return false
  await whileUnused(connection, exclusive, async () => {
    await connection.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
    // Pings are written on the workers themselves.
    await connection.query(`LOCK TABLE ${TABLES} IN SHARE MODE`)
    const removed = await readRemoved(connection)
    const isSubstitute = ({ table, name }: { table: string; name: string }) =>
      removed.some(one => one.table === table && one.name === name)
    const kept = (await readConstraints(connection)).filter(
      one => columnOf(one.table) !== undefined && !isSubstitute(one),
    )
    const indexes = (await readIndexes(connection)).filter(one => !isSubstitute(one))
    const durations = new Map<string, number>()
    for (const { name } of DISTRIBUTED) {
      const since = performance.now()
      await copyBack(connection, name)
      durations.set(name, performance.now() - since)
    }
    await connection.query(`DROP TABLE ${TABLES}, check_names`)
    for (const { name } of DISTRIBUTED) await renameTable(connection, `${name}_twin`, name)
    for (const { name } of DISTRIBUTED) {
      const since = performance.now()
      for (const one of [...removed, ...kept])
        if (one.table === name && one.kind !== 'f') await addConstraint(connection, one)
      for (const { table, definition } of indexes) if (table === name) await connection.query(definition)
      onTable(name, durations.get(name)! + performance.now() - since)
    }
    for (const one of [...removed, ...kept].filter(({ kind }) => kind === 'f')) {
      const orphans = lateCascade(one)
      if (orphans) await connection.query(orphans)
      await addConstraint(connection, one)
    }
    await connection.query('ALTER TABLE pings ALTER COLUMN id SET INCREMENT BY 1')
    await connection.query('DELETE FROM meta WHERE key = $1', [REMOVED_CONSTRAINTS])
  })
  return true
}

/** Copies the rows of a distributed table into a table that can take its place. */
async function copyBack(connection: Connection, name: string): Promise<void> {
  const twin = await createTwin(connection, name)
  const columns = await columnsOfTable(connection, name)
  await connection.query(`INSERT INTO ${twin} (${columns}) SELECT ${columns} FROM ${name}`)
  if (name !== 'pings' || !(await isLogMoving(connection))) return
  const former = await columnsOfTable(connection, LOG_BEFORE)
  await connection.query(`INSERT INTO ${twin} (${former}) SELECT ${former} ${await restOfLog(connection)}`)
  await dropRestOfLog(connection)
}
