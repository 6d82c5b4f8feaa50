/** Monthly quotas of accounts. Source: docs/behaviour.md, section 11. */

import { sql } from 'kysely'
import type { Quota } from '../../core/alerts/delivery/quota.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import { monthAt } from '../../core/time/calendar.js'
import type { Db } from '../db.js'
import { LOCK_WAIT } from '../locks.js'
import { write } from '../method.js'
import { accountOf } from './account-of.js'
import { takeBack } from './quotas/counted-messages.js'

/** What an account uses of a quota this month. Its row is locked until the transaction ends. */
export interface QuotaCount {
  account: string
  name: Quota['name']
  month: number
  /** How many messages other transactions have counted, without those that will not arrive. */
  used: number
  /** How many this one has planned, and how many of those it counts. */
  planned: number
  taken: number
}

/** The counts that were locked; null if that of a project was not. */
export type QuotaCounts = (projectId: number, name: Quota['name']) => QuotaCount | null

interface CountOf {
  projectId: number
  name: Quota['name']
}

/** Locks the counts of the accounts of these projects, always in the same order, so that two processes cannot deadlock. */
export async function lockQuotas(db: Db, asked: readonly CountOf[], now: number): Promise<QuotaCounts> {
  const accounts = new Map<number, string>()
  const counts = new Map<string, QuotaCount | null>()
  const keyOf = (account: string, name: string) => `${name} ${account}`
  for (const { projectId, name } of asked) {
    const account = accounts.get(projectId) ?? (await accountOf(db, projectId))
    accounts.set(projectId, account)
    counts.set(keyOf(account, name), { account, name, month: 0, used: 0, planned: 0, taken: 0 })
  }
  const inOrder = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [, count] of inOrder) {
    Object.assign(count!, await lockCount(db, count!, now))
    const back = await takeBack(db, count!, now)
    if (back === 0) continue
    count!.used = Math.max(0, count!.used - back)
    await keepUsed(db, count!)
  }
  return (projectId, name) => counts.get(keyOf(accounts.get(projectId) ?? '', name)) ?? null
}

/** How many messages are left; infinitely many if nothing counts them. */
export function leftOf(count: QuotaCount | null, quota: Quota | null): number {
  if (count === null || quota === null) return Number.POSITIVE_INFINITY
  return Math.max(0, quota.limit - count.used - count.planned)
}

/** Counts the messages that a transaction takes from what it has locked. */
export async function countUses(db: Db, count: QuotaCount): Promise<void> {
  if (count.taken > 0) await keepUsed(db, { ...count, used: count.used + count.taken })
}

async function keepUsed(db: Db, { account, name, used }: QuotaCount): Promise<void> {
  await db.sql
    .updateTable('quotas')
    .set({ used })
    .where('account', '=', account)
    .where('name', '=', name)
    .execute()
}

/**
 * Counts one message or call for the account of a project. Returns false, and counts nothing, if the quota is used up. Fails if the count
 * is locked for long, see `isLocked` in errors.ts.
 */
export const takeQuota = write(
  async (db: Db, projectId: number, { name, limit }: Quota, now: number): Promise<boolean> => {
    const count = (await lockQuotas(db, [{ projectId, name }], now))(projectId, name)!
    if (count.used >= limit) return false
    await countUses(db, { ...count, taken: 1 })
    return true
  },
  LOCK_WAIT,
)

/** Gives one back that was taken at an instant (ms), if the account's count is still of that month. */
export const giveBackQuota = write(
  async (db: Db, projectId: number, { name }: Pick<Quota, 'name'>, takenAt: number): Promise<void> => {
    await db.sql
      .updateTable('quotas')
      .set(eb => ({ used: eb('used', '-', 1) }))
      .where('account', '=', await accountOf(db, projectId))
      .where('name', '=', name)
      .where('month', 'in', [monthAt(takenAt, 'UTC'), monthAt(takenAt + CLOCK_SET_BACK_MS, 'UTC')])
      .where('used', '>', 0)
      .execute()
  },
  LOCK_WAIT,
)

/** After a clock that was ahead was set back: counts of months that have not begun begin anew, or they would go on in those months. */
export async function setBackQuotas(db: Db, now: number): Promise<void> {
  await db.sql
    .updateTable('quotas')
    .set({ month: monthAt(now, 'UTC'), used: 0 })
    .where('month', '>', monthAt(now + CLOCK_SET_BACK_MS, 'UTC'))
    .execute()
  await db.sql
    .deleteFrom('counted_messages')
    .where('month', '>', monthAt(now + CLOCK_SET_BACK_MS, 'UTC'))
    .execute()
}

/**
 * How many messages an account has used in the month of `now`, and that month, which begins at zero, also if the clock was set back. The next month goes
 * on if it begins within a minute, because another process may have begun it. The row is locked until the transaction ends.
 */
async function lockCount(
  db: Db,
  { account, name }: Pick<QuotaCount, 'account' | 'name'>,
  now: number,
): Promise<Pick<QuotaCount, 'used' | 'month'>> {
  const month = monthAt(now, 'UTC')
  const next = monthAt(now + CLOCK_SET_BACK_MS, 'UTC')
  return await db.sql
    .insertInto('quotas')
    .values({ account, name, month, used: 0 })
    .onConflict(oc =>
      oc.columns(['account', 'name']).doUpdateSet({
        used: sql<number>`CASE WHEN quotas.month IN (${month}, ${next}) THEN quotas.used ELSE 0 END`,
        month: sql<number>`CASE WHEN quotas.month = ${next} THEN ${next} ELSE excluded.month END`,
      }),
    )
    .returning(['used', 'month'])
    .executeTakeFirstOrThrow()
}
