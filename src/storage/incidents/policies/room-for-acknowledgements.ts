/** How many incidents one transaction acknowledges: others wait for it, on SQLite everybody. */
import { type RawBuilder, sql } from 'kysely'
import { MOST_TARGETS_AT_ONCE } from '../../channels/count-targets.js'
import type { Db } from '../../db.js'

/**
 * The first of these incidents in the order of their checks, at least one, as many as have no more than {@link MOST_TARGETS_AT_ONCE} channels together:
 * for each of them a row is written.
 */
export async function roomForAcknowledgements<I extends { checkId: number }>(
  db: Db,
  incidents: readonly I[],
): Promise<I[]> {
  const inOrder = incidents.toSorted((one, other) => one.checkId - other.checkId)
  const checkIds = sql.join(inOrder.map(({ checkId }) => checkId))
  // Those that policies have reached have rows, for the others rows are made of the check's links.
  const counts = [
    await countByCheck(db, sql`SELECT check_id FROM incident_channels WHERE check_id IN (${checkIds})`),
    await countByCheck(
      db,
      sql`SELECT cc.check_id FROM check_channels cc LEFT JOIN group_members gm ON gm.group_id = cc.channel_id
        WHERE cc.check_id IN (${checkIds})`,
    ),
  ]
  let left = MOST_TARGETS_AT_ONCE
  const end = inOrder.findIndex(({ checkId }) => {
    left -= Math.max(...counts.map(count => count.get(checkId) ?? 0))
    return left < 0
  })
  return inOrder.slice(0, end < 0 ? inOrder.length : Math.max(1, end))
}

/** The number of rows of each check, of the first checks: one row more than there is room for. */
async function countByCheck(db: Db, rows: RawBuilder<unknown>): Promise<Map<number, number>> {
  const found = await sql<{ check_id: number; n: number | string }>`
    SELECT check_id, count(*) AS n FROM (${rows} ORDER BY check_id LIMIT ${sql.lit(MOST_TARGETS_AT_ONCE + 1)}) first
    GROUP BY check_id`.execute(db.sql)
  return new Map(found.rows.map(({ check_id, n }) => [check_id, Number(n)]))
}
