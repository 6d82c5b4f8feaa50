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

/** The attempts that failed since the last success of the same channel. Instants in ms. */
interface Failing {
  since: number
  newest: number
  /** The first of them since the last success of any channel; null: none was made since. */
  sinceSent: number | null
}

/** The key of e-mails to people; channels are named by their UUID. */
const MAILS = ''

/** Tells whether alerts and e-mails can be sent, by the attempts of this process. */
export class SendingHealth {
  readonly #failing = new Map<string, Failing>()
  #reportedAt = Number.NEGATIVE_INFINITY

  /** `onFailing` is called every ten minutes while attempts have been failing for five minutes. */
  constructor(
    private readonly clock: Clock,
    private readonly onFailing: (trouble: {
      what: string
      channel?: string
      minutes: number
      error: string
    }) => void,
  ) {}

  /** Notes an attempt through the channel with this UUID. */
  noteDelivery(channel: string, attempt: Attempt): void {
    if (attempt.outcome === 'sent') for (const failing of this.#failing.values()) failing.sinceSent = null
    this.#note(channel, attempt, 'alerts of a channel')
  }

  /** Notes an attempt to send an e-mail to a person. */
  noteMail(attempt: Attempt): void {
    this.#note(MAILS, attempt, 'e-mails to people')
  }

  /** The UUIDs of the channels whose last attempts failed. */
  channels(): string[] {
    return [...this.#failing.keys()].filter(name => name !== MAILS)
  }

  /**
   * Forgets the channels that are not in `waiting`, and e-mails unless `mailsWait`: what failed there was deleted, or
   * another process has sent it.
   */
  forgetOthers(waiting: ReadonlySet<string>, mailsWait: boolean): void {
    for (const name of this.#failing.keys()) {
      if (name === MAILS ? !mailsWait : !waiting.has(name)) this.#failing.delete(name)
    }
  }

  /**
   * Why nothing could be sent for minutes, or null. If other channels work, one that fails is no reason. `channels`:
   * how many channels there are.
   */
  trouble(channels: number): string | null {
    const now = this.clock.now()
    const isLong = (since: number | null) => since !== null && now - since >= FAILING_AFTER_MS
    const long = [...this.#failing].filter(
      ([, { since, newest }]) => isLong(since) && now - newest < FORGET_AFTER_MS,
    )
    if (long.some(([name]) => name === MAILS)) return 'e-mails cannot be sent'
    const sinceSent = long.filter(([, failing]) => isLong(failing.sinceSent)).length
    // Where every channel fails, those count too that were tried last before the last success.
    const all = sinceSent > 0 && long.length >= channels
    return all || sinceSent >= MANY_CHANNELS ? 'alerts cannot be sent' : null
  }

  #note(name: string, { outcome, error = '' }: Attempt, what: string): void {
    const now = this.clock.now()
    if (outcome === 'sent' || outcome === 'disable') this.#failing.delete(name)
    if (outcome !== 'retry' && outcome !== 'gave-up') return
    const before = this.#failing.get(name)
    const since = before?.since ?? now
    this.#failing.set(name, { since, newest: now, sinceSent: before?.sinceSent ?? now })
    if (now - since < FAILING_AFTER_MS || now - this.#reportedAt < REPORT_EVERY_MS) return
    this.#reportedAt = now
    const named = name === MAILS ? {} : { channel: name }
    this.onFailing({ what, ...named, minutes: Math.round((now - since) / 60_000), error })
  }
}
