import type { SettledMail } from '../../../storage/people/settle-mails.js'
import { retryWrite } from '../../../storage/retry-write.js'
import type { StoreWith } from '../../../storage/store.js'

/**
 * Settles an attempt as the store's `settleMail` does, and tries again while the database is locked or away: an e-mail that was
 * sent would be sent again. After `stop` it is tried once more at most. Rejects if it was not settled.
 */
export async function settleMail(
  { store, onError }: { store: StoreWith<'people.settleMail'>; onError(error: unknown): void },
  settled: SettledMail,
  stop: AbortSignal,
): Promise<void> {
  await retryWrite(() => store.people.settleMail(settled), { stop, onRetry: onError })
}
