/**
 * The messages that were counted against a quota and have not arrived. One that is not tried any more, because its deliveries were
 * dropped, deleted or joined another message, is given back. Decision 0102.
 */
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { prepared, preparedList } from '../../prepared.js'

/** A message by the number that its deliveries have, and where it was counted. */
export interface CountedMessage extends Record<string, number | string> {
  charged: number
  channelId: number
  account: string
  name: string
  month: number
}

/** Notes a message in the transaction that counts it. */
export const noteCounted = prepared((sql, value: CountedMessage) =>
  sql.insertInto('counted_messages').values({
    charged: value.charged,
    channel_id: value.channelId,
    account: value.account,
    name: value.name,
    month: value.month,
  }),
)

/** Messages with these numbers have arrived: they stay counted. */
export async function noteArrivedMessages(db: Db, numbers: readonly number[]): Promise<void> {
  const items = [...new Set(numbers)].map(charged => ({ charged }))
  if (items.length > 0) await end(db, {}, items)
}

/**
 * Forgets the messages of an account that are not tried any more, and returns how many of them were counted in `month`. The account's
 * count is locked. What arrives meanwhile is forgotten by its settlement, with its deliveries, and is not returned.
 */
export async function takeBack(
  db: Db,
  { account, name, month }: Pick<CountedMessage, 'account' | 'name' | 'month'>,
): Promise<number> {
  const counted = await ofAccount.all(db, { account, name })
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

const ofAccount = prepared((sql, value: { account: string; name: string }) =>
  sql
    .selectFrom('counted_messages')
    .select(['charged', 'channel_id'])
    .where('account', '=', value.account)
    .where('name', '=', value.name),
)

const end = preparedList((sql, _value: Record<never, never>, items: { charged: number }[]) =>
  sql
    .deleteFrom('counted_messages')
    .where(
      'charged',
      'in',
      items.map(({ charged }) => charged),
    )
    .returning('month'),
)
