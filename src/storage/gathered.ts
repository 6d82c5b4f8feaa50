/**
 * Where the rows of checks are on several servers, a query that combines them freely with other tables is refused. It then first
 * gathers the rows that it needs, under the names of their tables. On the other engines it reads the tables themselves.
 */
import { type Expression, type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Db } from './db.js'
import { DISTRIBUTED } from './postgres/citus/layout.js'
import type { Tables } from './tables.js'

type Engine = Pick<Db, 'sql' | 'dialect'>

type TableName = keyof Tables

/** The IDs of checks, or a query of them. */
type Checks = readonly number[] | Expression<unknown>

/** For each table the condition of the rows that are gathered, in the order in which they may refer to each other. */
export type Gathering = Partial<Record<TableName, RawBuilder<unknown>>>

/** The builder of a query that reads `tables`, and there only rows of `checks`. */
export function gathered(db: Engine, tables: readonly TableName[], checks: Checks): QueryCreator<Tables> {
  if (!db.dialect.isDistributed) return db.sql
  return gatheredWhere(db, () => ofChecks(tables, checks))
}

/** As {@link gathered}, where the rows are not those of known checks. */
export function gatheredWhere(db: Engine, gathering: () => Gathering): QueryCreator<Tables> {
  if (!db.dialect.isDistributed) return db.sql
  let creator: QueryCreator<Tables> = db.sql
  for (const [table, rows] of Object.entries(gathering())) {
    creator = creator.with(
      cte => cte(table).materialized(),
      () => sql<object>`(SELECT * FROM ${sql.table(table)} WHERE ${rows})`,
    ) as unknown as QueryCreator<Tables>
  }
  return creator
}

/** How a query in SQL begins that reads `tables`, and there only rows of `checks`. */
export function gatheredFirst(db: Engine, tables: readonly TableName[], checks: Checks): RawBuilder<unknown> {
  return gatheredFirstWhere(db, () => ofChecks(tables, checks))
}

/** As {@link gatheredFirst}, where the rows are not those of known checks. */
export function gatheredFirstWhere(db: Engine, gathering: () => Gathering): RawBuilder<unknown> {
  if (!db.dialect.isDistributed) return sql``
  const tables = Object.entries(gathering()).map(
    ([table, rows]) =>
      sql`${sql.table(table)} AS MATERIALIZED (SELECT * FROM ${sql.table(table)} WHERE ${rows})`,
  )
  return sql`WITH ${sql.join(tables)}`
}

/** The end of a condition, after the name of a column: it is among these. */
export function isAmong(checks: Checks): RawBuilder<unknown> {
  return Array.isArray(checks) ? sql`= ANY(${sql.val([...checks])}::bigint[])` : sql`IN ${checks}`
}

function ofChecks(tables: readonly TableName[], checks: Checks): Gathering {
  const columns = new Map(DISTRIBUTED.map(({ name, column }) => [name, column]))
  return Object.fromEntries(
    tables.map(table => [table, sql`${sql.ref(columns.get(table) ?? 'check_id')} ${isAmong(checks)}`]),
  )
}
