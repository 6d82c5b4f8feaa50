import { valuesOf } from '../checks/lanes/pings-between.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'

/** A part of a check's log: the pings with numbers greater than `after`, up to `last`. */
export interface LogPart {
  id: number
  after: number
  last: number
}

/**
 * The number of stored pings in a part of the log of each check, by the ID of the check. A row never changes and no number is used
 * again, so a part with as many pings as before has the same.
 */
export async function storedCounts(db: Db, parts: readonly LogPart[]): Promise<Map<number, number>> {
  const items = parts.map(({ id, after, last }) => ({ id, after, last }))
  const rows = await counts.arrays(db, {}, items)
  return new Map(rows.map(([id, count]) => [id as number, Number(count)]))
}

interface Item extends Record<string, number> {
  id: number
  after: number
  last: number
}

const counts = preparedList((sql, _: Record<string, never>, items: Item[]) =>
  sql
    .with('asked(id, past, last)', () => valuesOf(items.map(({ id, after, last }) => [id, after, last])))
    .selectFrom('asked as a')
    .select(eb => [
      'a.id',
      eb
        .selectFrom('pings as p')
        .select(eb.fn.countAll().as('count'))
        .whereRef('p.check_id', '=', 'a.id')
        .whereRef('p.n', '>', 'a.past')
        .whereRef('p.n', '<=', 'a.last')
        .as('count'),
    ]),
)
