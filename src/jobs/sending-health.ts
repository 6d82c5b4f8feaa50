import type { Clock } from '../lib/clock.js'

/** Failures for this long (ms) are reported, and how often. */
const FAILING_AFTER_MS = 5 * 60_000
const REPORT_EVERY_MS = 10 * 60_000

/** Failures without a new attempt for this long (ms) are ignored. */
const FORGET_AFTER_MS = 6 * 3_600_000

/** If this many channels fail and none works, the fault is not in the receivers. */
const MANY_CHANNELS = 3

/** The result of an attempt. `sent`, `retry` and `gave-up` tell whether messages can leave this installation. */
export interface Attempt {
  outcome: string
  error?: string | undefined
}

/** The attempts that failed since the last success. Instants in ms. */
interface Failing {
  since: number
  newest: number
}

/** The key of e-mails to people; channels are named by their UUID. */
const MAILS = ''

/** Tells whether alerts and e-mails can be sent, by the attempts of this process. */
export class SendingHealth {
  readonly #failing = new Map<string, Failing>()
  #sentAt = Number.NEGATIVE_INFINITY
  #reportedAt = Number.NEGATIVE_INFINITY

  /** `onFailing` is called every ten minutes while attempts have been failing for five minutes. */
  constructor(
    private readonly clock: Clock,
    private readonly onFailing: (trouble: { what: string; minutes: number; error: string }) => void,
  ) {}

  /** Notes an attempt through the channel with this UUID. */
  noteDelivery(channel: string, attempt: Attempt): void {
    if (attempt.outcome === 'sent') this.#sentAt = this.clock.now()
    this.#note(channel, attempt, 'alerts of a channel')
  }

  /** Notes an attempt to send an e-mail to a person. */
  noteMail(attempt: Attempt): void {
    this.#note(MAILS, attempt, 'e-mails to people')
  }

  /**
   * Why nothing could be sent for minutes, or null. If other channels work, one that fails is no reason. `channels`:
   * how many channels there are.
   */
  trouble(channels: number): string | null {
    const now = this.clock.now()
    const long = [...this.#failing].filter(
      ([, { since, newest }]) => now - since >= FAILING_AFTER_MS && now - newest < FORGET_AFTER_MS,
    )
    if (long.some(([name]) => name === MAILS)) return 'e-mails cannot be sent'
    const silent = long.filter(([name, { since }]) => name !== MAILS && since > this.#sentAt)
    return silent.length >= Math.max(1, Math.min(MANY_CHANNELS, channels)) ? 'alerts cannot be sent' : null
  }

  #note(name: string, { outcome, error = '' }: Attempt, what: string): void {
    const now = this.clock.now()
    if (outcome === 'sent' || outcome === 'disable') this.#failing.delete(name)
    if (outcome !== 'retry' && outcome !== 'gave-up') return
    const since = this.#failing.get(name)?.since ?? now
    this.#failing.set(name, { since, newest: now })
    if (now - since < FAILING_AFTER_MS || now - this.#reportedAt < REPORT_EVERY_MS) return
    this.#reportedAt = now
    this.onFailing({ what, minutes: Math.round((now - since) / 60_000), error })
  }
}
