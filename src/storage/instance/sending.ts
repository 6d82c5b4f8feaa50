/** Whether alerts and e-mails can be sent, from what all processes stored of their attempts. */
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { FAILING_AFTER_MS, type SendingFacts, UNTRIED_AFTER_MS } from '../../core/instance/sending-trouble.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import type { Tables } from '../tables.js'
import { isHeld } from './instance.js'

/** What is known at `now` about the sending of alerts and e-mails. */
export const sending = read(async (db: Db, now: number): Promise<SendingFacts> => {
  const { channels, arrivedAt } = await db.sql
    .selectFrom('channels')
    .select(eb => [
      sql<number | null>`sum(CASE WHEN ${isUsable} THEN 1 ELSE 0 END)`.as('channels'),
      eb.fn.max<number | null>(arrival).as('arrivedAt'),
    ])
    .executeTakeFirstOrThrow()
  const failing = await db.sql
    .selectFrom('channels')
    .select(eb => [
      eb.fn.countAll<number>().as('all'),
      sql<number | null>`sum(CASE WHEN ${triedAt} > ${arrivedAt ?? 0} THEN 1 ELSE 0 END)`.as('sinceArrival'),
    ])
    .where(isUsable)
    .where('last_error', '!=', '')
    .where(eb => eb('last_notify', '>=', eb.fn.coalesce('recipient_since', sql<number>`0`)))
    .where(sql<SqlBool>`${triedAt} > ${now - UNTRIED_AFTER_MS}`)
    .where(sql<SqlBool>`${triedAt} - failing_ms <= ${now - FAILING_AFTER_MS}`)
    .where(eb => hasToSend(eb, now))
    .executeTakeFirstOrThrow()
  const mails = await db.sql
    .selectFrom('mails')
    .select('id')
    .where('failing_since', '<=', now - FAILING_AFTER_MS)
    .where('due_at', '>', now - UNTRIED_AFTER_MS)
    .limit(1)
    .executeTakeFirst()
  const isLongAgo = arrivedAt === null || arrivedAt <= now - FAILING_AFTER_MS
  return {
    channels: Number(channels),
    failing: Number(failing.all),
    failingSinceArrival: isLongAgo ? Number(failing.sinceArrival) : 0,
    mailsFail: mails !== undefined,
  }
})

const isUsable = sql<SqlBool>`(disabled = 0 AND confirmed = 1 AND kind <> 'group')`

/** When the newest attempt ended. */
const triedAt = sql<number>`(last_notify + coalesce(last_duration, 0))`

/** When something last arrived, at the latest; of a channel that fails since, the beginning of that minute. */
const arrival = sql<number | null>`CASE WHEN last_error = '' THEN ${triedAt} ELSE minute_from END`

/**
 * Whether something that failed, or waits for a channel that fails, is to be sent. A service may report a failure after
 * a message was sent: then what is new was not tried.
 */
function hasToSend(eb: ExpressionBuilder<Tables, 'channels'>, now: number) {
  return eb.exists(
    eb
      .selectFrom('deliveries as d')
      .select('d.id')
      .whereRef('d.channel_id', '=', 'channels.id')
      .where('d.due_at', '<', WHEN_ENABLED)
      .where(or => or.or([or('channels.failing_ms', '>', 0), or('d.attempts', '>', 0)]))
      .where(or => or.not(isHeld(now))),
  )
}
