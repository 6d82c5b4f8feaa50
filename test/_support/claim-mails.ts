import type { ClaimedMail } from '../../src/storage/people/claim-mails.js'
import type { Store } from '../../src/storage/store.js'

/** Claims all e-mails that are due at `now`, until `leaseUntil`, or for no time. */
export async function claimMails(
  { people }: Pick<Store, 'people'>,
  { worker = 'tests', now, leaseUntil = now }: { worker?: string; now: number; leaseUntil?: number },
): Promise<ClaimedMail[]> {
  const due = await people.dueMails({ now, after: null, limit: 1_000 })
  const ids = due.map(({ id }) => id)
  return ids.length === 0 ? [] : await people.claimMails({ worker, now, leaseUntil, ids })
}
