/**
 * Networks whose data took long to process. A server chooses the certificates that it sends, and each signature is
 * verified in this thread, even if the chain leads to no authority: 90 certificates take 0.2 s. Decision 0103.
 */
import { RecentMap } from '../recent-map.js'
import { clientNetwork } from './client-address.js'

/** Data that takes this long (ms) is costly. An ordinary handshake takes one to two. */
const COSTLY_MS = 10
/** After costly data, nothing of its network is processed for this many times as long. */
const FACTOR = 20
const REMEMBERED = 10_000

export class ReceivePauses {
  readonly #until = new RecentMap<string, number>(REMEMBERED)

  /** `now` is in ms. */
  constructor(private readonly now: () => number) {}

  /** How long (ms) data from `address` has to wait. */
  pauseFor(address: string): number {
    return Math.max(0, (this.#until.get(clientNetwork(address)) ?? 0) - this.now())
  }

  /** Runs `process` for data from `address`, and notes a pause if it takes long. */
  process(address: string, process: () => void): void {
    const from = this.now()
    process()
    const tookMs = this.now() - from
    if (tookMs >= COSTLY_MS) this.#until.set(clientNetwork(address), from + tookMs * (1 + FACTOR))
  }
}
