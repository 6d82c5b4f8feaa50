/** Monthly quotas of accounts. Source: docs/behaviour.md, section 11. */

import type { Quota } from '../../core/alerts/delivery/quota.js'
import { monthAt } from '../../core/time/calendar.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { accountOf } from './account-of.js'

export interface QuotaUse {
  projectId: number
  /** What is counted: `messages` or `calls`. */
  name: string
  /** The quota of an account per calendar month. */
  limit: number
  /** Year * 12 + month (0 for January), UTC. */
  month: number
}

/**
 * Counts one message or call for the account of a project. Returns false, and counts
 * nothing, if the quota is used up.
 */
export const takeQuota = write(
  async (db: Db, { projectId, name, limit, month }: QuotaUse): Promise<boolean> => {
    const account = await accountOf(db, projectId)
    await db.sql
      .insertInto('quotas')
      .values({ account, name, month, used: 0 })
      .onConflict(oc =>
        oc.columns(['account', 'name']).doUpdateSet({ month, used: 0 }).where('quotas.month', '<', month),
      )
      .execute()
    const taken = await db.sql
      .updateTable('quotas')
      .set(eb => ({ used: eb('used', '+', 1) }))
      .where('account', '=', account)
      .where('name', '=', name)
      .where('used', '<', limit)
      .returning('used')
      .executeTakeFirst()
    return taken !== undefined
  },
)

/** How many messages the account of a project has left this month; without a quota infinitely many. Another process may take one at once. */
export async function quotaLeft(
  db: Db,
  projectId: number,
  quota: Quota | null,
  now: number,
): Promise<number> {
  if (quota === null) return Number.POSITIVE_INFINITY
  const row = await db.sql
    .selectFrom('quotas')
    .select(['month', 'used'])
    .where('account', '=', await accountOf(db, projectId))
    .where('name', '=', quota.name)
    .executeTakeFirst()
  const used = row !== undefined && row.month >= monthAt(now, 'UTC') ? row.used : 0
  return Math.max(0, quota.limit - used)
}
