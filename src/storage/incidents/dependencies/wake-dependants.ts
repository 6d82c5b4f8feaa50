/** Makes held alerts due, because what checks depend on may not hold them any more. Decision 0115. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { awaitPlans } from '../../channels/lock-channels.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { lookAtHeld } from '../policies/progress-rows.js'
import { wakeLater } from '../wake-many.js'

/** How many deliveries one transaction makes due, unless the change that causes it has to be in the same one. */
const SLICE = 500

/** The rows of one project that may be held no longer, after the delivery `after` of the slice before. */
interface Slice {
  projectId: number
  after: number
  now: number
}

/**
 * Makes the next held rows due whose check is among `checks` (a query of IDs): also those that a silence holds, because a row
 * names one of its holds only. Called after the change that ends a hold was written: a plan in another
 * transaction either sees it, or ends before its rows are looked for here. Returns the last row; null if there are no more.
 */
export async function wakeSlice(
  db: Db,
  { projectId, after, now }: Slice,
  checks: Expression<unknown>,
  onlyWaiting: boolean,
): Promise<number | null> {
  const rows = await gathered(db, ['check_details'], sql`${checks}`)
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('id', 'in', eb =>
      eb
        .selectFrom('deliveries as d')
        .innerJoin('check_details as cd', 'cd.check_id', 'd.check_id')
        .select('d.id')
        .where(sql<SqlBool>`d.held_by IN ('silence', 'dependency')`)
        .where(sql<SqlBool>`d.check_id IN ${checks}`)
        .where('cd.project_id', '=', projectId)
        .where('d.due_at', '>', now)
        .where('d.claimed_by', 'is', null)
        .where('d.id', '>', after)
        .$if(onlyWaiting, query =>
          query.where(sql<SqlBool>`d.created_at + cd.depends_wait * CAST(1000 AS bigint) > ${now}`),
        )
        .orderBy('d.id')
        .limit(SLICE),
    )
    .returning('id')
    .execute()
  return rows.length < SLICE ? null : Math.max(...rows.map(({ id }) => id))
}

/**
 * The checks with these IDs and all that depend on them, directly or not, as {@link queryInOthers}.
 */
export async function withDependants(db: Db, ids: readonly number[]): Promise<Expression<number>> {
  return await queryInOthers(db, dependantsBelow(db, ids))
}

/** A query of IDs of checks as a part of others; where checks are distributed, which refuses that, the list of them. */
export async function queryInOthers(
  db: Db,
  query: Expression<unknown> & { execute(): Promise<{ id: number }[]> },
): Promise<Expression<number>> {
  if (!db.dialect.isDistributed) return sql<number>`${query}`
  const found = await query.execute()
  return sql<number>`(${sql.join([0, ...found.map(({ id }) => sql.lit(id))])})`
}

function dependantsBelow(db: Db, ids: readonly number[]) {
  const known = db.dialect.isDistributed
    ? sql`SELECT check_id AS id FROM check_names`
    : sql`SELECT id FROM checks`
  return db.sql
    .withRecursive('below(id)', cte =>
      cte
        .selectFrom(sql<{ id: number }>`(${known})`.as('known'))
        .select('id')
        .where('id', 'in', ids)
        .union(
          cte
            .selectFrom('below')
            .innerJoin('check_parents as cp', 'cp.parent_id', 'below.id')
            .select('cp.check_id as id'),
        ),
    )
    .selectFrom('below')
    .select('id')
}

/** Those that depend on checks directly, as a query of IDs. */
export function dependantsOf(db: Db, ids: readonly number[]) {
  return db.sql.selectFrom('check_parents').select('check_id').where('parent_id', 'in', ids)
}

/**
 * Makes all held rows of checks, and of those that depend on them, due, in this transaction. Returns whether there may be any; a follow-up makes very
 * many due.
 */
export async function wakeWithDependants(
  db: Db,
  { projectId, checkIds, now }: { projectId: number; checkIds: readonly number[]; now: number },
): Promise<boolean> {
  if (checkIds.length === 0) return false
  await awaitPlans(db, projectId)
  const checks = await withDependants(db, checkIds)
  if (await wakeLater(db, { projectId, checks, onlySilenced: false }, now)) return false
  await lookAtHeld(db, checks, now)
  for (let after: number | null = 0; after !== null; ) {
    after = await wakeSlice(db, { projectId, after, now }, checks, false)
  }
  return true
}
