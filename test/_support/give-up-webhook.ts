import type { QueuedMail } from '../../src/storage/people/mails.js'
import type { Store } from '../../src/storage/store.js'

const HOUR_MS = 3_600_000

/** Lets an event webhook fail each hour from `now` on until it is disabled. Returns when that was (ms). */
export async function giveUpWebhook(
  { events }: Pick<Store, 'events'>,
  id: number,
  now: number,
  mail: QueuedMail | null = null,
): Promise<number> {
  const sent = { eventId: 1, type: 'check.up', at: now, durationMs: 1, status: 500, error: 'no' }
  for (let at = now; ; at += HOUR_MS) {
    const lease = { worker: 'w', now: at, leaseUntil: at + 60_000 }
    if (!(await events.claimWebhook(id, lease))) return at - HOUR_MS
    await events.settleWebhook(id, lease, sent, mail)
  }
}
