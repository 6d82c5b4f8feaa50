import { sql } from 'kysely'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** An alert has at most so much of a body, so that many alerts about a large one need no memory for each. */
export const ALERT_BODY_BYTES = 1_000_001

/** What an alert has of a large body: of an e-mail the beginning, with its headers, else the end, which people read. */
export function alertPart(scheme: string, body: Uint8Array): Uint8Array {
  if (body.length <= ALERT_BODY_BYTES) return body
  return scheme === 'email' ? body.slice(0, ALERT_BODY_BYTES) : body.slice(-ALERT_BODY_BYTES)
}

/** What an alert has of a ping's large body, or null if it is not in the log. */
export const largeBody = read(async (db: Db, checkId: number, n: number): Promise<Uint8Array | null> => {
  const most = sql.lit(ALERT_BODY_BYTES)
  const last = sql<Uint8Array>`substr(body, length(body) - ${most} + 1, ${most})`
  const row = await db.sql
    .selectFrom('pings')
    .select(
      sql<Uint8Array | null>`case scheme when 'email' then substr(body, 1, ${most}) else ${last} end`.as(
        'part',
      ),
    )
    .where('check_id', '=', checkId)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.part ?? null
})
