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
    const asked = [...ends].flatMap(([id, { from, to }]) => (from < to ? [{ id, n: (from + to) >> 1 }] : []))
    if (asked.length === 0) break
    const later = await arrivedSince(db, asked, instant)
    for (const { id, n } of asked) {
      const end = ends.get(id)!
      if (later.has(id)) end.to = n
      else end.from = n + 1
    }
  }
  return new Map([...ends].map(([id, { to }]) => [id, to]))
}

/** The checks of those whose ping `n` did not arrive before `instant`. */
async function arrivedSince(
  db: Db,
  asked: readonly { id: number; n: number }[],
  instant: number,
): Promise<Set<number>> {
  const rows = await arrived(db, { instant }, asked)
  return new Set(rows.map(({ id }) => id))
}

const arrived = preparedList((sql, value: { instant: number }, items: { id: number; n: number }[]) =>
  sql
    .with('asked(id, n)', () => valuesOf(items.map(({ id, n }) => [id, n])))
    .selectFrom('asked as a')
    .innerJoin('pings as p', join => join.onRef('p.check_id', '=', 'a.id').onRef('p.n', '=', 'a.n'))
    .select('a.id')
    .where('p.created_at', '>=', value.instant),
)

/** A table of whole numbers. */
export function valuesOf<T>(rows: readonly (readonly number[])[]): RawBuilder<T> {
  const row = (values: readonly number[]) =>
    sql`(${sql.join(values.map(value => sql`CAST(${value} AS bigint)`))})`
  return sql<T>`(VALUES ${sql.join(rows.map(row))})`
}
