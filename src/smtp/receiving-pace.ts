import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from '../lib/fair/fair-queue.js'

/** What all e-mails together may have in a second, beyond the first bytes of each: a few percent of the main thread's time. */
const BYTES_PER_SECOND = 8_000_000

/**
 * The pace at which large e-mails are received, however many there are: receiving them takes time from pings and alerts. The networks
 * of their senders take turns, and so do the e-mails of each. Decision 0144.
 */
export class ReceivingPace {
  readonly #turns = new FairQueue<string>()

  constructor(private readonly wait: (ms: number) => Promise<unknown> = sleep) {}

  /** Resolves when an e-mail from this network may have `bytes` more. One that broke off in the meantime takes no time. */
  turn(network: string, bytes: number, hasBrokenOff: () => boolean): Promise<void> {
    return new Promise(resolve => {
      void this.#turns.run(network, async () => {
        resolve()
        if (!hasBrokenOff()) await this.wait((bytes / BYTES_PER_SECOND) * 1_000)
      })
    })
  }
}
