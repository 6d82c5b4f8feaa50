import { setTimeout as sleep } from 'node:timers/promises'
import { Batches } from '../../lib/batches.js'
import { FairQueue } from '../../lib/fair-queue.js'
import type { SentSettlement, Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled } from '../../storage/alerts/settle-message.js'
import { isLocked } from '../../storage/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** Two transactions of a channel may be under way, so that the next is sent while one is being written to disk. */
const LIMITS = { atOnce: 32, underWay: 2, retries: (error: unknown) => !isLocked(error) }

/** The pause (ms) before a channel that is locked is tried again, and how long it is tried. */
const PAUSE_MS = 250
const TRIED_MS = 5 * 60_000

/**
 * Settles messages. A transaction locks its channel until it is on disk, so messages sent through a channel while
 * others are being settled are settled together afterwards. Those of channels that others have locked for long take turns, so that they
 * do not use the connections of all.
 */
export class Settlements {
  readonly #sent = new Batches<number, SentSettlement, Settled>(async (_, sent) => {
    const { alerts } = this.store
    if (sent.length === 1) return [await alerts.settleMessage(sent[0]!)]
    await alerts.settleSentMessages(sent)
    return sent.map(() => ({ unreachable: false }))
  }, LIMITS)
  /** The number of messages that wait for channels that are locked, by channel. */
  readonly #waiting = new Map<number, number>()
  readonly #turns = new FairQueue()

  constructor(private readonly store: StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages'>) {}

  /** Settles a message as the store's `settleMessage` does, for as long as its channel is locked. */
  async settle(settlement: Settlement): Promise<Settled> {
    const { channelId } = settlement
    if (!this.#waiting.has(channelId)) {
      try {
        return await this.#settleAtOnce(settlement)
      } catch (error) {
        if (!isLocked(error)) throw error
      }
    }
    this.#waiting.set(channelId, (this.#waiting.get(channelId) ?? 0) + 1)
    try {
      return await this.#settleInTurn(settlement)
    } finally {
      const others = this.#waiting.get(channelId)! - 1
      if (others > 0) this.#waiting.set(channelId, others)
      else this.#waiting.delete(channelId)
    }
  }

  async #settleAtOnce(settlement: Settlement): Promise<Settled> {
    return mayShare(settlement)
      ? await this.#sent.run(settlement.channelId, settlement)
      : await this.store.alerts.settleMessage(settlement)
  }

  async #settleInTurn(settlement: Settlement): Promise<Settled> {
    for (const until = performance.now() + TRIED_MS; ; ) {
      try {
        return await this.#turns.run(settlement.channelId, () => this.store.alerts.settleMessage(settlement))
      } catch (error) {
        if (!isLocked(error) || performance.now() > until) throw error
      }
      await sleep(PAUSE_MS)
    }
  }
}

/** Whether a settlement is small and only records that a message was sent. */
function mayShare(settlement: Settlement): settlement is SentSettlement {
  const { outcome, parts, settings } = settlement
  return outcome.type === 'sent' && parts.length === 1 && !parts[0]!.endsLink && !settings
}
