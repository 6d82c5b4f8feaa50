/**
 * Shows the attempts at one delivery as one line of a log: at the place of the first attempt,
 * with the result of the last.
 */
import { sql } from 'kysely'
import { madeAttempt } from '../../../core/alerts/delivery/drop-notes.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

/** The first attempt at a delivery; `delivery` is null for a test. */
interface FirstAttempt {
  id: number
  at: number
  checkId: number | null
  delivery: string | null
  attempt: number
  error: string
}

/** The summary of all attempts in the line. */
interface LastAttempt {
  /** The number of attempts; one if nothing was sent, because the delivery was dropped. */
  attempts: number
  lastAt: number
  /** Empty after a success, `Sending` while under way. */
  error: string
}

/**
 * A condition on `notifications as n`: the row is the first stored attempt at its delivery. A channel is sent the
 * changes of a check in order, one delivery after the other, so comparing it with the attempt before is enough. The
 * sum makes the database use the index of the check's attempts, which are few, rather than that of the channel's.
 */
export function isFirstAttempt() {
  return sql<boolean>`(n.delivery_uuid is null or n.delivery_uuid <> coalesce((
    select o.delivery_uuid from notifications as o
    where o.check_id = n.check_id and o.channel_id + 0 = n.channel_id and o.id < n.id
    order by o.id desc limit 1
  ), ''))`
}

/** The lines for `rows`, the first attempts on one page, each with the result of its delivery. */
export async function withLastAttempts<T extends FirstAttempt>(
  db: Db,
  rows: readonly T[],
): Promise<(Omit<T, 'checkId' | 'delivery' | 'attempt' | 'error'> & LastAttempt)[]> {
  const later = await laterAttempts(db, rows)
  return rows.map(({ checkId: _, delivery, attempt, error, ...row }) => {
    const last = { attempts: attempt, lastAt: row.at, error }
    for (const one of later.get(delivery ?? '') ?? []) {
      last.error = one.error
      if (madeAttempt(one) !== null) Object.assign(last, { attempts: one.attempt, lastAt: one.at })
    }
    return { ...row, ...last }
  })
}

/** The attempts after each of `rows`, by delivery, oldest first. */
async function laterAttempts(db: Db, rows: readonly FirstAttempt[]) {
  const found = new Map<string, { attempt: number; at: number; error: string }[]>()
  for (const some of chunks([...rows], Math.floor(db.dialect.maxParameters / 3))) {
    const later = await db.sql
      .selectFrom('notifications')
      .select(['delivery_uuid as delivery', 'attempt', 'created_at as at', 'error'])
      .where('check_id', 'in', [...new Set(some.map(({ checkId }) => checkId))])
      .where(
        'delivery_uuid',
        'in',
        some.map(({ delivery }) => delivery),
      )
      .where('id', '>', Math.min(...some.map(({ id }) => id)))
      .orderBy('id')
      .execute()
    for (const { delivery, ...one } of later) appendTo(found, delivery!, one)
  }
  return found
}
