import { FairQueue } from '../../../lib/fair/fair-queue.js'
import { mayBeOneRow } from '../../../storage/errors.js'
import type { SettledMail } from '../../../storage/people/settle-mails.js'
import { retryWrite } from '../../../storage/retry-write.js'
import { type Failed, SetAside } from '../../../storage/set-aside.js'
import type { StoreWith } from '../../../storage/store.js'

/** What a process settles e-mails to people with. */
export interface MailSettlementsDeps {
  store: StoreWith<'people.settleMail' | 'people.noteMailsWork'>
  /** Called with each error after which an e-mail is settled again at once, and if others cannot be updated. */
  onError(error: unknown): void
  /** Called when an e-mail cannot be settled, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
}

/** Settles e-mails to people, one at a time: those that others have locked for long wait for that on one connection. */
export class MailSettlements {
  readonly #turns = new FairQueue()
  /** How to settle the e-mails that were sent and are not settled yet, by their UUIDs. */
  readonly sent = new Map<string, SettledMail>()
  /** The e-mails that cannot be settled. */
  readonly unsettled: SetAside

  /** After `stop` each is tried once more at most. */
  constructor(
    private readonly deps: MailSettlementsDeps,
    private readonly stop: AbortSignal,
  ) {
    this.unsettled = new SetAside('mail', deps.onSetAside)
  }

  /**
   * Settles an attempt to send the e-mail with this ID as the store's `settleMail` does, and tries again while the e-mail or the database is
   * locked, or out of reach, or a row of it cannot be written: an e-mail that was sent would be sent again. Rejects if it was not settled.
   */
  async settle(id: number, settled: SettledMail): Promise<void> {
    const { store, onError } = this.deps
    const isSent = settled.outcome === 'sent'
    if (isSent) this.sent.set(settled.uuid, settled)
    const write = () => this.#turns.run(0, () => store.people.settleMail(settled))
    while (!(await this.#settled(id, write))) await this.unsettled.wait(id, this.stop)
    this.sent.delete(settled.uuid)
    // Apart, so that an e-mail that cannot be written does not keep others from being settled.
    if (isSent) await store.people.noteMailsWork().catch(onError)
  }

  /** Returns false if it cannot be settled for a row. */
  async #settled(id: number, write: () => Promise<unknown>): Promise<boolean> {
    try {
      await retryWrite(write, { stop: this.stop, onRetry: this.deps.onError })
      this.unsettled.succeed(id)
      return true
    } catch (error) {
      if (!mayBeOneRow(error) || this.stop.aborted) throw error
      this.unsettled.fail(id, error)
      return false
    }
  }
}
