import type { SentSettlement, Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled } from '../../storage/alerts/settle-message.js'
import type { StoreWith } from '../../storage/store.js'

/** The maximum number of messages that are settled in one transaction. */
const AT_ONCE = 32
/** The transactions of a channel under way at once: more than one, so that a quick database need not wait for the next. */
const UNDER_WAY = 4

interface Queued {
  settlement: SentSettlement
  resolve(settled: Settled): void
  reject(error: unknown): void
}

/**
 * Settles messages. A transaction locks its channel until it is on disk, so messages sent through a channel while
 * another one is being settled are settled together afterwards.
 */
export class Settlements {
  /** By channel: the number of transactions under way, and the settlements that wait for one of them. */
  private readonly channels = new Map<number, { underWay: number; queue: Queued[] }>()

  constructor(private readonly store: StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages'>) {}

  /** Settles a message as the store's `settleMessage` does. */
  async settle(settlement: Settlement): Promise<Settled> {
    if (!mayShare(settlement)) return await this.store.alerts.settleMessage(settlement)
    const channel = this.channels.get(settlement.channelId) ?? { underWay: 0, queue: [] }
    if (channel.underWay >= UNDER_WAY) {
      return await new Promise<Settled>((resolve, reject) =>
        channel.queue.push({ settlement, resolve, reject }),
      )
    }
    channel.underWay++
    this.channels.set(settlement.channelId, channel)
    try {
      return await this.store.alerts.settleMessage(settlement)
    } finally {
      void this.settleQueued(settlement.channelId, channel.queue)
    }
  }

  /** Settles what waits when a transaction of the channel is over. Never rejects. */
  private async settleQueued(channelId: number, queue: Queued[]): Promise<void> {
    while (queue.length > 0) {
      const some = queue.splice(0, AT_ONCE)
      try {
        await this.store.alerts.settleSentMessages(some.map(({ settlement }) => settlement))
        for (const { resolve } of some) resolve({ unreachable: false })
      } catch {
        // A message that cannot be settled must not delay the others.
        const settleAlone = (one: SentSettlement) => this.store.alerts.settleMessage(one)
        await Promise.all(
          some.map(({ settlement, resolve, reject }) => settleAlone(settlement).then(resolve, reject)),
        )
      }
    }
    const channel = this.channels.get(channelId)!
    if (--channel.underWay === 0) this.channels.delete(channelId)
  }
}

/** Whether a settlement is small and only records that a message was sent. */
function mayShare(settlement: Settlement): settlement is SentSettlement {
  const { outcome, parts, settings, wasUnreachable } = settlement
  return outcome.type === 'sent' && parts.length === 1 && !settings && !wasUnreachable
}
