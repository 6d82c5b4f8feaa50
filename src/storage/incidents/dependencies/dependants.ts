/** What alerts say about dependencies and holds. */
import { sql } from 'kysely'
import { checkLabel } from '../../../core/alerts/alert.js'
import type { Db } from '../../db.js'
import { read } from '../../method.js'
import { prepared } from '../../prepared.js'
import { withDependants } from './wake-dependants.js'

/** How many dependants an alert names. */
const NAMED = 10

/** Checks that depend on another, directly or not, and the names of some. */
export interface Dependants {
  count: number
  names: string[]
}

/** Whether other checks depend on a check: 1 or 0. `checkId` is its ID. */
export function hasDependants(checkId: number) {
  return sql<
    0 | 1
  >`CASE WHEN EXISTS (SELECT 1 FROM check_parents cp WHERE cp.parent_id = ${checkId}) THEN 1 ELSE 0 END`
}

/**
 * The checks that depend on a check, which it holds if it went down: those that are neither new nor paused; or, if it went up, those that
 * are still down. Null if there are none.
 */
export const dependantsOfCheck = read(
  async (db: Db, checkId: number, status: 'up' | 'down'): Promise<Dependants | null> => {
    const below = db.sql
      .selectFrom('checks as c')
      .where('c.id', 'in', await withDependants(db, [checkId]))
      .where('c.id', '!=', checkId)
      .where('c.status', 'in', status === 'down' ? ['up', 'down'] : ['down'])
    const { count } = await below.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    if (Number(count) === 0) return null
    const rows = await below
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['d.name', 'd.slug', 'd.unique_key as uniqueKey'])
      .orderBy('c.id')
      .limit(NAMED)
      .execute()
    return { count: Number(count), names: rows.map(checkLabel) }
  },
)

/** What held the alerts of an incident for a channel last, and since when (ms), after `since` (ms); null if nothing did. */
export async function lastHold(
  db: Db,
  incident: { incidentId: number; channelId: number },
  since: number,
): Promise<{ by: string; since: number } | null> {
  const rows = await holds.all(db, { ...incident, since })
  const last = rows.at(-1)
  return last ? { by: last.text, since: rows[0]!.created_at } : null
}

const holds = prepared((kysely, value: { incidentId: number; channelId: number; since: number }) =>
  kysely
    .selectFrom('incident_events')
    .select(['created_at', 'text'])
    .where('incident_id', '=', value.incidentId)
    .where('channel_id', '=', value.channelId)
    .where('kind', '=', sql.lit('held'))
    // Delays have no words.
    .where('text', '!=', sql.lit(''))
    .where('created_at', '>=', value.since)
    .orderBy('id'),
)
