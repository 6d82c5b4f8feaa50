/** Charges claimed messages to the monthly quotas, in the transaction that claims them. Decision 0102. */
import { randomInt } from 'node:crypto'
import { isCounted } from '../../core/alerts/delivery/quota.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { noteClaimedAgain, noteCounted } from '../people/quotas/counted-messages.js'
import { countUses } from '../people/quotas.js'
import { prepared, preparedList } from '../prepared.js'
import type { ClaimedMessage, Planned } from './messages.js'

/**
 * Counts each message none of whose deliveries was in a message that was counted, and gives all its deliveries its number. One of which
 * some were uses the number of the first of those, and deliveries that are not in it lose that: a number covers one message that arrives.
 * The plan holds alerts that exceed a quota; a notice is not held, so one that exceeds what the alerts leave is marked.
 */
export async function chargeMessages(
  db: Db,
  planned: readonly Planned[],
  messages: readonly ClaimedMessage[],
  claimedUntil: number,
): Promise<void> {
  const limited = new Map(planned.flatMap(one => (one.quota ? [[one.channel.id, one] as const] : [])))
  if (limited.size === 0) return
  const isNotice = ({ form }: ClaimedMessage) => form === 'notice'
  for (const message of messages.toSorted((a, b) => Number(isNotice(a)) - Number(isNotice(b)))) {
    const { quota = null, count = null, combine = null } = limited.get(message.channel.id) ?? {}
    if (combine !== null) {
      await number(db, message, combine.charged)
      continue
    }
    if (quota === null || count === null) continue
    if (!isCounted(message.parts)) {
      const { charged } = message.parts.find(part => part.charged !== 0)!
      await forgetNumber.all(db, { channelId: message.channel.id, charged })
      await number(db, message, charged)
      const [counted] = await noteClaimedAgain.all(db, { charged, claimedUntil })
      if (counted) message.counted = counted
    } else if (isNotice(message) && count.used + count.taken >= quota.limit) message.overQuota = quota
    else {
      count.taken++
      const charged = newNumber()
      const { account, name, month } = count
      message.counted = { charged, account, name, month }
      await noteCounted.all(db, { ...message.counted, channelId: message.channel.id, claimedUntil })
      await number(db, message, charged)
    }
  }
  for (const count of new Set([...limited.values()].map(one => one.count))) {
    if (count) await countUses(db, count)
  }
}

/**
 * No other message has it. The ID of a delivery would not do: one that has lost its number, while another still has that, may be counted
 * anew.
 */
function newNumber(): number {
  return randomInt(2, 2 ** 48 - 1)
}

async function number(db: Db, { parts }: ClaimedMessage, charged: number): Promise<void> {
  await noteNumber(
    db,
    { charged },
    parts.map(({ id }) => ({ id })),
  )
  for (const part of parts) part.charged = charged
}

/**
 * Tries a counted message again at once if something newer is due about one of its checks: sent alone, that would use the number, and the
 * others would be counted anew or held.
 */
export const retryTogether = prepared((sql, value: { channelId: number; now: number }) =>
  sql
    .updateTable('deliveries')
    .set({ due_at: value.now })
    .where('channel_id', '=', value.channelId)
    .where('charged', '<>', 0)
    .where('attempts', '>', 0)
    .where('due_at', '>', value.now)
    .where('due_at', '<', WHEN_ENABLED)
    .where('due_before', 'is', null)
    .where(unclaimed(value.now))
    .where('charged', 'in', eb =>
      eb
        .selectFrom('deliveries as due')
        .innerJoin('deliveries as tried', join =>
          join.onRef('tried.channel_id', '=', 'due.channel_id').onRef('tried.check_id', '=', 'due.check_id'),
        )
        .select('tried.charged')
        .where('due.channel_id', '=', value.channelId)
        .where('due.due_at', '<=', value.now)
        .where('tried.charged', '<>', 0),
    ),
)

const forgetNumber = prepared((sql, value: { channelId: number; charged: number }) =>
  sql
    .updateTable('deliveries')
    .set({ charged: 0 })
    .where('channel_id', '=', value.channelId)
    .where('charged', '=', value.charged),
)

const noteNumber = preparedList((sql, value: { charged: number }, items: { id: number }[]) =>
  sql
    .updateTable('deliveries')
    .set({ charged: value.charged })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    ),
)
