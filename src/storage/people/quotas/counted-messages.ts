/**
 * The messages that were counted against a quota and have not arrived. One that is not tried any more, because its deliveries were
 * dropped, deleted or joined another message, is given back. Decision 0102.
 */
import { chunks } from '../../chunks.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { prepared, preparedList } from '../../prepared.js'

/** A message by the number that its deliveries have, and where it was counted. */
export interface CountedMessage {
  charged: number
  account: string
  name: string
  month: number
}

interface NewlyCounted extends CountedMessage, Record<string, number | string> {
  channelId: number
  claimedUntil: number
}

/** Notes a message in the transaction that counts and claims it. */
export const noteCounted = prepared((sql, value: NewlyCounted) =>
  sql.insertInto('counted_messages').values({
    charged: value.charged,
    channel_id: value.channelId,
    account: value.account,
    name: value.name,
    month: value.month,
    claimed_until: value.claimedUntil,
  }),
)

/** Notes that a message is claimed again. Returns it, unless a version before these rows counted it. */
export const noteClaimedAgain = prepared((sql, value: { charged: number; claimedUntil: number }) =>
  sql
    .updateTable('counted_messages')
    .set({ claimed_until: value.claimedUntil })
    .where('charged', '=', value.charged)
    .returning(['charged', 'account', 'name', 'month']),
)

/** Notes that an attempt to send a message has failed. */
export const noteReleased = prepared((sql, value: { charged: number }) =>
  sql.updateTable('counted_messages').set({ claimed_until: null }).where('charged', '=', value.charged),
)

/** These messages have arrived: they stay counted. Returns those that were given back in the meantime. */
export async function noteArrivedMessages(
  db: Db,
  messages: readonly CountedMessage[],
): Promise<CountedMessage[]> {
  const ended = await end(
    db,
    {},
    messages.map(({ charged }) => ({ charged })),
  )
  const known = new Set(ended.map(({ charged }) => charged))
  return messages.filter(({ charged }) => !known.has(charged))
}

/** Counts a message again that was given back, in the month in which it was counted. Locks the account's count. */
export const countAgain = prepared((sql, value: { account: string; name: string; month: number }) =>
  sql
    .updateTable('quotas')
    .set(eb => ({ used: eb('used', '+', 1) }))
    .where('account', '=', value.account)
    .where('name', '=', value.name)
    .where('month', '=', value.month),
)

/** A message was cut off and may have arrived: it stays counted if nobody tries it again. */
export const keepIfUntried = prepared((sql, value: { charged: number }) =>
  sql
    .deleteFrom('counted_messages')
    .where('charged', '=', value.charged)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as d')
            .select('d.id')
            .whereRef('d.channel_id', '=', 'counted_messages.channel_id')
            .where('d.charged', '=', value.charged),
        ),
      ),
    ),
)

/**
 * Forgets the messages of an account that are neither under way nor tried any more, and returns how many of them were counted in `month`.
 * The account's count is locked. What arrives meanwhile is forgotten by its settlement, with its deliveries, and is not returned.
 */
export async function takeBack(
  db: Db,
  { account, name, month }: Pick<CountedMessage, 'account' | 'name' | 'month'>,
  now: number,
): Promise<number> {
  const counted = await unclaimedOf.all(db, { account, name, now })
  if (counted.length === 0) return 0
  const tried = new Set<number>()
  for (const some of chunks(counted, Math.floor(db.dialect.maxParameters / 2))) {
    const rows = await db.sql
      .selectFrom('deliveries')
      .select('charged')
      .distinct()
      .where('channel_id', 'in', [...new Set(some.map(one => one.channel_id))])
      .where(
        'charged',
        'in',
        some.map(({ charged }) => charged),
      )
      .execute()
    for (const { charged } of rows) tried.add(charged)
  }
  const over = counted.filter(({ charged }) => !tried.has(charged))
  const ended = await end(
    db,
    {},
    over.map(({ charged }) => ({ charged })),
  )
  return ended.filter(one => one.month === month).length
}

const unclaimedOf = prepared((sql, value: { account: string; name: string; now: number }) =>
  sql
    .selectFrom('counted_messages')
    .select(['charged', 'channel_id'])
    .where('account', '=', value.account)
    .where('name', '=', value.name)
    .where(unclaimed(value.now)),
)

const end = preparedList((sql, _value: Record<never, never>, items: { charged: number }[]) =>
  sql
    .deleteFrom('counted_messages')
    .where(
      'charged',
      'in',
      items.map(({ charged }) => charged),
    )
    .returning(['charged', 'month']),
)
