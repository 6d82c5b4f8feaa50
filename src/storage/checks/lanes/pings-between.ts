/** Finds the pings of many checks between two instants. A check's pings are numbered in the order of their arrival. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'

/** The numbers of a check's pings, from `from` and before `to`. */
export interface Numbers {
  id: number
  from: number
  to: number
}

/** So few pings are read in a row, because that costs less than to bisect them. */
const FEW = 64

/**
 * For each check the number of its first ping that did not arrive before `instant` (ms), or `to` if there is none: by bisection, all
 * checks at once, because the log has no index by time. A ping that is not stored any more counts as earlier.
 */
export async function firstSince(
  db: Db,
  checks: readonly Numbers[],
  instant: number,
): Promise<Map<number, number>> {
  const ends = new Map(checks.map(({ id, from, to }) => [id, { from, to }]))
  for (;;) {
    const asked = [...ends].flatMap(([id, { from, to }]) =>
      to - from > FEW ? [{ id, n: (from + to) >> 1 }] : [],
    )
    if (asked.length === 0) break
    const later = await arrivedSince(db, asked, instant)
    for (const { id, n } of asked) {
      const end = ends.get(id)!
      if (later.has(id)) end.to = n
      else end.from = n + 1
    }
  }
  const rest = [...ends].flatMap(([id, { from, to }]) => (from < to ? [{ id, low: from, high: to }] : []))
  const found = await firstOf.arrays(db, { instant }, rest)
  const first = new Map(found.map(([id, n]) => [id as number, n as number]))
  return new Map([...ends].map(([id, { to }]) => [id, first.get(id) ?? to]))
}

const firstOf = preparedList(
  (sql, value: { instant: number }, items: { id: number; low: number; high: number }[]) =>
    sql
      .with('asked(id, low, high)', () => valuesOf(items.map(({ id, low, high }) => [id, low, high])))
      .selectFrom('asked as a')
      .innerJoin('pings as p', join =>
        join
          .onRef('p.check_id', '=', 'a.id')
          .onRef('p.n', '>=', 'a.low')
          .onRef('p.n', '<', 'a.high')
          .on('p.created_at', '>=', value.instant),
      )
      .select(['p.check_id as id', eb => eb.fn.min('p.n').as('n')])
      .groupBy('p.check_id'),
)

/** The checks of those whose ping `n` did not arrive before `instant`. */
async function arrivedSince(
  db: Db,
  asked: readonly { id: number; n: number }[],
  instant: number,
): Promise<Set<number>> {
  const rows = await arrived.arrays(db, { instant }, asked)
  return new Set(rows.map(([id]) => id as number))
}

const arrived = preparedList((sql, value: { instant: number }, items: { id: number; n: number }[]) =>
  sql
    .with('asked(id, n)', () => valuesOf(items.map(({ id, n }) => [id, n])))
    .selectFrom('asked as a')
    .innerJoin('pings as p', join => join.onRef('p.check_id', '=', 'a.id').onRef('p.n', '=', 'a.n'))
    .select('p.check_id as id')
    .where('p.created_at', '>=', value.instant),
)

/** A table of whole numbers. */
export function valuesOf<T>(rows: readonly (readonly number[])[]): RawBuilder<T> {
  const row = (values: readonly number[]) =>
    sql`(${sql.join(values.map(value => sql`CAST(${value} AS bigint)`))})`
  return sql<T>`(VALUES ${sql.join(rows.map(row))})`
}
