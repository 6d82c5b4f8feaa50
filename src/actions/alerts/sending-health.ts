import type { Clock } from '../../lib/clock.js'

/** Attempts that have failed for so long (ms) are more than a hiccup, and how often that is said. */
const LONG_MS = 5 * 60_000
const SAY_EVERY_MS = 10 * 60_000

/** What was not tried for so long (ms) says nothing any more. */
const FORGET_AFTER_MS = 6 * 3_600_000

/** When so many channels fail and none works, the fault is not in the receivers. */
const MANY_CHANNELS = 3

/** What came of an attempt; `sent`, `retry` and `gave-up` say something of the way out. */
export interface Attempt {
  outcome: string
  error?: string | undefined
}

/** Attempts that have failed since the last one that succeeded. Instants in ms. */
interface Failing {
  since: number
  newest: number
}

/** The e-mails to people stand beside the channels, which are named by their UUID. */
const MAILS = ''

/** Whether alerts and e-mails to people go out, as the attempts of this process show. */
export class SendingHealth {
  readonly #failing = new Map<string, Failing>()
  #sentAt = Number.NEGATIVE_INFINITY
  #saidAt = Number.NEGATIVE_INFINITY

  /** `onLong` is called now and then while attempts have been failing for minutes. */
  constructor(
    private readonly clock: Clock,
    private readonly onLong: (trouble: { what: string; minutes: number; error: string }) => void,
  ) {}

  /** An alert was tried through the channel with this UUID. */
  noteDelivery(channel: string, attempt: Attempt): void {
    if (attempt.outcome === 'sent') this.#sentAt = this.clock.now()
    this.#note(channel, attempt, 'alerts of a channel')
  }

  /** An e-mail to a person was tried. */
  noteMail(attempt: Attempt): void {
    this.#note(MAILS, attempt, 'e-mails to people')
  }

  /**
   * Why nothing has gone out for minutes though it was tried, or null. One receiver that is away among others is no
   * reason; `channels` is how many there are.
   */
  trouble(channels: number): string | null {
    const now = this.clock.now()
    const long = [...this.#failing].filter(
      ([, { since, newest }]) => now - since >= LONG_MS && now - newest < FORGET_AFTER_MS,
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
    if (now - since < LONG_MS || now - this.#saidAt < SAY_EVERY_MS) return
    this.#saidAt = now
    this.onLong({ what, minutes: Math.round((now - since) / 60_000), error })
  }
}
