import type { SentSettlement, Settlement } from '../../storage/alerts/settle-message.js'
import type { StoreWith } from '../../storage/store.js'

/** The most messages that are settled in one transaction. */
const AT_ONCE = 32

interface Queued {
  settlement: SentSettlement
  resolve(isUnreachable: boolean): void
  reject(error: unknown): void
}

/**
 * Settles messages. A transaction locks its channel until it is on disk, so what was sent through one channel while another of
 * its messages is being settled is settled together afterwards.
 */
export class Settlements {
  /** By the channels for which a transaction is under way. */
  private readonly queues = new Map<number, Queued[]>()

  constructor(private readonly store: StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages'>) {}

  /** As `settleMessage` of the store. */
  async settle(settlement: Settlement): Promise<boolean> {
    if (!mayShare(settlement)) return await this.store.alerts.settleMessage(settlement)
    const queue = this.queues.get(settlement.channelId)
    if (queue)
      return await new Promise<boolean>((resolve, reject) => queue.push({ settlement, resolve, reject }))
    this.queues.set(settlement.channelId, [])
    try {
      return await this.store.alerts.settleMessage(settlement)
    } finally {
      void this.settleQueued(settlement.channelId)
    }
  }

  /** Rejects never. */
  private async settleQueued(channelId: number): Promise<void> {
    const queue = this.queues.get(channelId)!
    while (queue.length > 0) {
      const some = queue.splice(0, AT_ONCE)
      try {
        await this.store.alerts.settleSentMessages(some.map(({ settlement }) => settlement))
        for (const { resolve } of some) resolve(false)
      } catch {
        // One that cannot be settled must not hold up the others.
        const settleAlone = (one: SentSettlement) => this.store.alerts.settleMessage(one)
        await Promise.all(
          some.map(({ settlement, resolve, reject }) => settleAlone(settlement).then(resolve, reject)),
        )
      }
    }
    this.queues.delete(channelId)
  }
}

/** Whether it is small, and its transaction only adds to what the channel learned. */
function mayShare(settlement: Settlement): settlement is SentSettlement {
  const { outcome, parts, settings, wasUnreachable } = settlement
  return outcome.type === 'sent' && parts.length === 1 && !settings && !wasUnreachable
}
