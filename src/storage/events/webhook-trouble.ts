import type { Db } from '../db.js'

/** That the event webhook with this UUID is disabled. */
export interface WebhookTrouble {
  webhook: string
  trouble: 'disabled'
}

/** Whether what an e-mail says about an event webhook is still true. */
export async function isWebhookInTrouble(db: Db, { webhook }: WebhookTrouble): Promise<boolean> {
  const row = await db.sql
    .selectFrom('event_webhooks')
    .select('enabled')
    .where('uuid', '=', webhook)
    .executeTakeFirst()
  return row?.enabled === 0
}
