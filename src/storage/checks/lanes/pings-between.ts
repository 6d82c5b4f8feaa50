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

/** An instant (ms) that is looked for among the pings of a check. */
export interface Sought extends Numbers {
  instant: number
}

/**
 * For each of `sought`, in order: the number of the check's first ping that did not arrive before the instant, or `to` if there is none.
 * One statement bisects all logs, because they have no index by time: it halves a step and takes it while the ping before its end is
 * earlier. A ping that is not stored any more counts as earlier. Where logs are on several servers, each is read instead.
 */
export async function firstSince(db: Db, sought: readonly Sought[]): Promise<number[]> {
  const longest = Math.max(1, ...sought.map(({ from, to }) => to - from))
  const step = 2 ** Math.floor(Math.log2(longest))
  const items = sought.map(({ id, from, to, instant }, place) => ({
    place,
    id,
    low: from,
    high: to,
    instant,
  }))
  const found = db.dialect.isDistributed
    ? await firstOfLogs.arrays(db, {}, items)
    : await bisected.arrays(db, { step }, items)
  const first = new Map(found.map(([place, n]) => [place as number, n as number]))
  return sought.map(({ to }, place) => first.get(place) ?? to)
}

interface SoughtItem extends Record<string, number> {
  place: number
  id: number
  low: number
  high: number
  instant: number
}

const bisected = preparedList((db, value: { step: number }, items: SoughtItem[]) =>
  db
    .withRecursive('bisect(place, id, n, high, instant, step)', () => stepsOf(items, value.step))
    .selectFrom('bisect')
    .select(['place', 'n'])
    .where('step', '=', 0),
)

const firstOfLogs = preparedList((db, _: Record<never, never>, items: SoughtItem[]) => {
  const asked = items.map(({ place, id, low, high, instant }) => [place, id, low, high, instant])
  return db
    .with('asked(place, id, low, high, instant)', () => valuesOf(asked))
    .selectFrom('asked as a')
    .innerJoin('pings as p', join =>
      join
        .onRef('p.check_id', '=', 'a.id')
        .onRef('p.n', '>=', 'a.low')
        .onRef('p.n', '<', 'a.high')
        .onRef('p.created_at', '>=', 'a.instant'),
    )
    .select(eb => ['a.place', eb.fn.min('p.n').as('n')])
    .where(
      'p.check_id',
      'in',
      items.map(({ id }) => id),
    )
    .groupBy('a.place')
})

/** A step is taken if it does not pass the end, and if what it skips is earlier than the instant. */
function stepsOf<T>(items: readonly SoughtItem[], step: number): RawBuilder<T> {
  const first = items.map(({ place, id, low, high, instant }) => [place, id, low, high, instant])
  return sql<T>`(
    SELECT asked.*, CAST(${step} AS bigint) FROM ${valuesOf(first)} AS asked
    UNION ALL
    SELECT place, id, n + CASE
      WHEN n + step <= high
        AND coalesce((SELECT p.created_at FROM pings p WHERE p.check_id = b.id AND p.n = b.n + b.step - 1), 0) < instant
      THEN step ELSE 0 END, high, instant, step / 2
    FROM bisect AS b WHERE step > 0)`
}

/** A table of whole numbers. */
export function valuesOf<T>(rows: readonly (readonly number[])[]): RawBuilder<T> {
  const row = (values: readonly number[]) =>
    sql`(${sql.join(values.map(value => sql`CAST(${value} AS bigint)`))})`
  return sql<T>`(VALUES ${sql.join(rows.map(row))})`
}
