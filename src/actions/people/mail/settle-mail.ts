import { FairQueue } from '../../../lib/fair/fair-queue.js'
import type { SettledMail } from '../../../storage/people/settle-mails.js'
import { retryWrite } from '../../../storage/retry-write.js'
import type { StoreWith } from '../../../storage/store.js'

/** What a process settles e-mails to people with. */
export interface MailSettlementsDeps {
  store: StoreWith<'people.settleMail'>
  /** Called with each error after which an e-mail is settled again. */
  onError(error: unknown): void
}

/** Settles e-mails to people, one at a time: those that others have locked for long wait for that on one connection. */
export class MailSettlements {
  readonly #turns = new FairQueue()
  /** The UUIDs of e-mails that were sent and are not settled yet. */
  readonly sent = new Set<string>()

  /** After `stop` each is tried once more at most. */
  constructor(
    private readonly deps: MailSettlementsDeps,
    private readonly stop: AbortSignal,
  ) {}

  /**
   * Settles an attempt as the store's `settleMail` does, and tries again while the e-mail or the database is locked, or out of
   * reach: an e-mail that was sent would be sent again. Rejects if it was not settled.
   */
  async settle(settled: SettledMail): Promise<void> {
    const { store, onError } = this.deps
    if (settled.outcome === 'sent') this.sent.add(settled.uuid)
    const write = () => this.#turns.run(0, () => store.people.settleMail(settled))
    await retryWrite(write, { stop: this.stop, onRetry: onError })
    this.sent.delete(settled.uuid)
  }
}
