import { Batches } from '../../lib/batches.js'
import { FairQueue } from '../../lib/fair/fair-queue.js'
import type { SentSettlement, Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled } from '../../storage/alerts/settle-message.js'
import { mayPass } from '../../storage/errors.js'
import { mayRetry, pauseBeforeRetry, type Retrying, retryWrite } from '../../storage/retry-write.js'
import type { StoreWith } from '../../storage/store.js'

/** Two transactions of a channel may be under way, so that the next is sent while one is being written to disk. */
const LIMITS = { atOnce: 32, underWay: 2, retries: (error: unknown) => !mayPass(error) }

/** How long (ms) a channel is tried again that is locked, or while the database is. */
const TRIED_MS = 5 * 60_000

/** Runs a write when its turn comes. */
export type InTurn = <R>(write: () => Promise<R>) => Promise<R>

/**
 * Settles messages. A transaction locks its channel until it is on disk, so messages sent through a channel while
 * others are being settled are settled together afterwards. While others have locked a channel for long, or the database cannot write,
 * one of its messages tries again and again and the rest waits for it, and the channels take turns: together they use one connection. Given
 * up, a message that has arrived would be sent again.
 */
export class Settlements {
  readonly #sent = new Batches<number, SentSettlement, Settled>(async (_, sent) => {
    const { alerts } = this.store
    if (sent.length === 1) return [await alerts.settleMessage(sent[0]!)]
    await alerts.settleSentMessages(sent)
    return sent.map(() => ({ unreachable: false }))
  }, LIMITS)
  /** By channels that cannot be written: resolves when one of their messages was settled, or was given up. */
  readonly #locked = new Map<number, Promise<void>>()
  readonly #turns = new FairQueue()

  /** `ended`: from then on a channel that is locked is not tried again. */
  constructor(
    private readonly store: StoreWith<'alerts.settleMessage' | 'alerts.settleSentMessages'>,
    private readonly ended: AbortSignal,
  ) {}

  /**
   * Settles a message as the store's `settleMessage` does, and tries again while its channel or the database is locked, or out of reach. `inTurn`: each attempt has a turn there;
   * default none.
   */
  async settle(settlement: Settlement, inTurn: InTurn | null = null): Promise<Settled> {
    const { channelId } = settlement
    const retrying = { stop: this.ended, until: performance.now() + TRIED_MS }
    for (;;) {
      await this.#locked.get(channelId)
      try {
        const write = () => this.#settleAtOnce(settlement)
        return await (inTurn ? inTurn(write) : write())
      } catch (error) {
        if (!mayRetry(error, retrying)) throw error
      }
      if (!this.#locked.has(channelId)) return await this.#settleWhenFree(settlement, inTurn, retrying)
    }
  }

  async #settleWhenFree(settlement: Settlement, inTurn: InTurn | null, retrying: Retrying): Promise<Settled> {
    const { channelId } = settlement
    const turn: InTurn = inTurn ?? (write => this.#turns.run(channelId, write))
    let isFree = () => {}
    this.#locked.set(channelId, new Promise(resolve => (isFree = resolve)))
    try {
      await pauseBeforeRetry(retrying)
      return await retryWrite(() => turn(() => this.store.alerts.settleMessage(settlement)), retrying)
    } finally {
      this.#locked.delete(channelId)
      isFree()
    }
  }

  async #settleAtOnce(settlement: Settlement): Promise<Settled> {
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
