/**
 * Copies a database to the other engine: every row of every table, in the order of its key, so
 * that a copy can be continued.
 */
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import { SILENT_AFTER_MS } from '../../core/instance/beats.js'
import { noteAllNames } from '../checks/rows/name-directory.js'
import { chunks } from '../chunks.js'
import { digestOf, type TableDigest } from './digest.js'
import { page } from './page.js'
import type { Row, Side } from './side.js'
import { COPIED_LAST, COPIED_TABLES, type KeyedTable, NOT_COPIED_META, TABLES_BY_CHECK } from './tables.js'

/** While this row is in `meta`, the database is an unfinished copy. */
const MARK = 'copy_under_way'

/** The number of rows per transaction. */
const PAGE = 1_000

export interface CopiedTable extends TableDigest {
  name: string
}

/**
 * Copies a database into an empty one, or continues an interrupted copy, and then compares both sides, table by
 * table. Returns the rows and the checksum of each table. Throws a `Refusal`: `conflict` if the source is in use, if
 * the target contains anything but an unfinished copy, or if the sides differ at the end.
 */
export async function copyDatabase(
  from: Side,
  to: Side,
  now: number,
  onTable: (table: CopiedTable) => void,
): Promise<CopiedTable[]> {
  await refuseWhileInUse(from, now)
  await claimTarget(to)
  const tables = from.isDistributed || to.isDistributed ? TABLES_BY_CHECK : COPIED_TABLES
  for (const table of tables) await copyTable(from, to, table)
  const copied: CopiedTable[] = []
  for (const { name, key } of tables) {
    const [source, target] = [await digestOf(from, name, key), await digestOf(to, name, key)]
    if (source.checksum !== target.checksum) {
      throw new Refusal(
        'conflict',
        `${name} differs: ${source.rows} rows there, ${target.rows} in the copy. Was the source used meanwhile? Empty the target and copy again`,
      )
    }
    copied.push({ name, ...source })
    onTable({ name, ...source })
  }
  await finish(from, to)
  return copied
}

async function refuseWhileInUse(from: Side, now: number): Promise<void> {
  const row = await from.sql
    .selectFrom('beats')
    .select(eb => eb.fn.max<number | null>('beat_at').as('at'))
    .executeTakeFirst()
  if (row?.at != null && now - row.at < SILENT_AFTER_MS) {
    throw new Refusal(
      'conflict',
      `a server took pings on the source ${Math.max(0, Math.round((now - row.at) / 1000))} s ago: stop it, wait ${SILENT_AFTER_MS / 1000} s, and copy again`,
    )
  }
}

async function claimTarget(to: Side): Promise<void> {
  const mark = await to.sql.selectFrom('meta').select('key').where('key', '=', MARK).executeTakeFirst()
  if (mark) return
  for (const name of ['users', 'projects'] as const) {
    const row = await to.sql.selectFrom(name).select('id').limit(1).executeTakeFirst()
    if (row) throw new Refusal('conflict', 'the target holds data already: copy into an empty database')
  }
  await to.sql.insertInto('meta').values({ key: MARK, value: '' }).execute()
}

async function copyTable(from: Side, to: Side, { name, key }: KeyedTable): Promise<void> {
  let after = await lastKey(to, name, key)
  for (;;) {
    const rows = await page(from, name, key, after, PAGE)
    if (rows.length === 0) return
    await inTransaction(to, () => insert(to, name, rows))
    after = key.map(column => rows.at(-1)![column])
  }
}

async function lastKey(side: Side, name: string, key: readonly string[]): Promise<unknown[] | null> {
  const columns = key.map(column => sql.ref(column))
  const newestFirst = columns.map(column => sql`${column} DESC`)
  const { rows } = await sql<Row>`
    SELECT ${sql.join(columns)} FROM ${sql.table(name)} ORDER BY ${sql.join(newestFirst)} LIMIT 1`.execute(
    side.sql,
  )
  return rows[0] ? key.map(column => rows[0]![column]) : null
}

/**
 * Copies the tables that change with time last, with the highest IDs, which rows elsewhere may still name when theirs is deleted, and
 * removes the mark in the same transaction: then the copy is complete.
 */
async function finish(from: Side, to: Side): Promise<void> {
  await inTransaction(to, async () => {
    for (const name of COPIED_LAST) {
      if (name === 'meta') await to.sql.deleteFrom('meta').where('key', 'not in', NOT_COPIED_META).execute()
      else await to.sql.deleteFrom(name).execute()
      const rows: Row[] = await from.sql.selectFrom(name).selectAll().execute()
      const isCopied = (row: Row) => name !== 'meta' || !NOT_COPIED_META.includes(String(row.key))
      await insert(to, name, rows.filter(isCopied))
    }
    if (to.isDistributed) await noteAllNames(to)
    const numbered = COPIED_TABLES.filter(({ key }) => key[0] === 'id').map(({ name }) => name)
    await to.continueIds(await from.highestIds(numbered))
  })
}

async function insert(side: Side, name: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const size = Math.floor(side.maxParameters / Object.keys(rows[0]!).length)
  for (const some of chunks(rows, size)) {
    await side.sql
      .insertInto(name as 'meta')
      .values(some as never)
      .execute()
  }
}

async function inTransaction(side: Side, work: () => Promise<void>): Promise<void> {
  await side.begin()
  try {
    await work()
    await side.commit()
  } catch (error) {
    await side.rollback().catch(() => {})
    throw error
  }
}
