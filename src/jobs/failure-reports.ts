import { FAILING_AFTER_MS, UNTRIED_AFTER_MS } from '../core/instance/sending-trouble.js'
import type { Clock } from '../lib/clock.js'
import { RecentMap } from '../lib/recent-map.js'

/** How often failures are reported (ms). */
const REPORT_EVERY_MS = 10 * 60_000

/** The number of remembered channels; those tried longest ago are forgotten first. */
const REMEMBERED = 10_000

/** The result of an attempt. `sent`, `retry`, `gave-up` and `disable` tell whether messages can leave this installation. */
export interface Attempt {
  outcome: string
  error?: string | undefined
}

/** Outcomes of attempts by which nothing arrived. */
const FAILURES = ['retry', 'gave-up', 'disable']

/** The key of e-mails to people; channels are named by their UUID. */
const MAILS = ''

/** Reports alerts and e-mails of this process that fail for minutes. */
export class FailureReports {
  /** The first and the newest attempt that failed since the last success (ms). */
  readonly #failing = new RecentMap<string, { since: number; newest: number }>(REMEMBERED)
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
    this.#note(channel, attempt, 'alerts of a channel')
  }

  /** Notes an attempt to send an e-mail to a person. */
  noteMail(attempt: Attempt): void {
    this.#note(MAILS, attempt, 'e-mails to people')
  }

  #note(name: string, { outcome, error = '' }: Attempt, what: string): void {
    const now = this.clock.now()
    if (outcome === 'sent') this.#failing.delete(name)
    if (!FAILURES.includes(outcome)) return
    const before = this.#failing.get(name)
    const since = before && now - before.newest < UNTRIED_AFTER_MS ? before.since : now
    this.#failing.set(name, { since, newest: now })
    if (now - since < FAILING_AFTER_MS || now - this.#reportedAt < REPORT_EVERY_MS) return
    this.#reportedAt = now
    const named = name === MAILS ? {} : { channel: name }
    this.onFailing({ what, ...named, minutes: Math.round((now - since) / 60_000), error })
  }
}
