import { isGivenUp } from '../../core/events/webhook.js'
import type { Db } from '../db.js'

/** That the event webhook with this UUID was disabled because it failed. */
export interface WebhookTrouble {
  webhook: string
  trouble: 'disabled'
}

/**
 * Whether what an e-mail says about an event webhook is still true and news. If it was enabled since, or given another
 * address or secret, it is not: a person who disabled it then knows.
 */
export async function isWebhookInTrouble(db: Db, { webhook }: WebhookTrouble): Promise<boolean> {
  const row = await db.sql
    .selectFrom('event_webhooks')
    .select(['enabled', 'failures'])
    .where('uuid', '=', webhook)
    .executeTakeFirst()
  return row?.enabled === 0 && isGivenUp(row)
}
