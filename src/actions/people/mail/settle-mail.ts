import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../../../storage/errors.js'
import type { SettledMail } from '../../../storage/people/settle-mails.js'
import type { StoreWith } from '../../../storage/store.js'

/** The pause (ms) before the next try. */
const PAUSE_MS = 250

/**
 * Settles an attempt as the store's `settleMail` does, and tries again while the database is locked or away: an e-mail that was
 * sent would be sent again. After `stop` it is tried once more at most. Rejects if it was not settled.
 */
export async function settleMail(
  { store, onError }: { store: StoreWith<'people.settleMail'>; onError(error: unknown): void },
  settled: SettledMail,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await store.people.settleMail(settled)
      return
    } catch (error) {
      if (!mayPass(error) || stop.aborted) throw error
      onError(error)
    }
    await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => {})
  }
}
