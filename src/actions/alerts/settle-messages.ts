import { Batches } from '../../lib/batches.js'
import type { SentSettlement, Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled } from '../../storage/alerts/settle-message.js'
import type { StoreWith } from '../../storage/store.js'

/** Two transactions of a channel may be under way, so that the next is sent while one is being written to disk. */
const LIMITS = { atOnce: 32, underWay: 2 }

/**
 * Settles messages. A transaction locks its channel until it is on disk, so messages sent through a channel while
 * others are being settled are settled together afterwards.
 */
export class Settlements {
  readonly #sent = new Batches<number, SentSettlement, Settled>(async (_, sent) => {
    const { alerts } = this.store
    if (sent.length === 1) return [await alerts.settleMessage(sent[0]!)]
    await alerts.settleSentMessages(sent)
    return sent.map(() => ({ unreachable: false }))
  }, LIMITS)

  constructor(private readonly store: StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages'>) {}

  /** Settles a message as the store's `settleMessage` does. */
  async settle(settlement: Settlement): Promise<Settled> {
    return mayShare(settlement)
      ? await this.#sent.run(settlement.channelId, settlement)
      : await this.store.alerts.settleMessage(settlement)
  }
}

/** Whether a settlement is small and only records that a message was sent. */
function mayShare(settlement: Settlement): settlement is SentSettlement {
  const { outcome, parts, settings } = settlement
  return outcome.type === 'sent' && parts.length === 1 && !parts[0]!.endsLink && !settings
}
