/** Charges claimed messages to the monthly quotas, in the transaction that claims them. Decision 0102. */
import type { Db } from '../db.js'
import { countUses } from '../people/quotas.js'
import { preparedList } from '../prepared.js'
import type { ClaimedMessage, Planned } from './messages.js'
import type { WaitingRow } from './waiting/waiting-row.js'

/** Whether a message of these deliveries counts: none of them was charged. */
export function isCounted(deliveries: readonly Pick<WaitingRow, 'charged'>[]): boolean {
  return deliveries.every(({ charged }) => !charged)
}

/**
 * Counts each message of which nothing was charged, and charges one of its deliveries: if they part later, the others are counted. The
 * plan holds alerts that exceed a quota; a notice is not held, so one that exceeds what the alerts leave is marked.
 */
export async function chargeMessages(
  db: Db,
  planned: readonly Planned[],
  messages: readonly ClaimedMessage[],
): Promise<void> {
  const limited = new Map(planned.flatMap(one => (one.quota ? [[one.channel.id, one] as const] : [])))
  if (limited.size === 0) return
  const charged: { id: number }[] = []
  const isNotice = ({ form }: ClaimedMessage) => form === 'notice'
  for (const message of messages.toSorted((a, b) => Number(isNotice(a)) - Number(isNotice(b)))) {
    const { quota = null, count = null } = limited.get(message.channel.id) ?? {}
    if (quota === null || count === null || !isCounted(message.parts)) continue
    if (isNotice(message) && count.used + count.taken >= quota.limit) {
      message.overQuota = quota
      continue
    }
    count.taken++
    charged.push({ id: message.parts[0]!.id })
  }
  for (const count of new Set([...limited.values()].map(one => one.count))) {
    if (count) await countUses(db, count)
  }
  await noteCharged(db, {}, charged)
}

/**
 * A charged delivery that is dropped passes its charge on to one that was tried and has none, and so was in a message with another: the
 * message is not counted again without the dropped one.
 */
export async function passChargesOn(db: Db, { channel, plan, rows }: Planned): Promise<void> {
  const dropped = plan.drops.filter(({ id }) => rows.get(id)!.charged).length
  if (dropped === 0) return
  const heirs = await db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', '=', channel.id)
    .where('charged', '=', 0)
    .where('attempts', '>', 0)
    .orderBy('id')
    .limit(dropped)
    .execute()
  await noteCharged(db, {}, heirs)
}

const noteCharged = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql
    .updateTable('deliveries')
    .set({ charged: 1 })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    ),
)
