/**
 * Limits how many e-mails to people are sent at once, apart from alerts, which have connections of their own. An e-mail
 * is counted for its owner, as an alert is for its project, and for the domain of its recipient, as an alert is for its
 * channel: a mail server that asks the recipient's while the sender waits is slow for one domain. Decision 0063.
 */
import type { MailAttempt } from '../../../actions/people/mail/send-queued-mail.js'
import { RecentMap } from '../../../lib/recent-map.js'
import type { DueMail } from '../../../storage/people/claim-mails.js'
import { MAIL_LIMITS, MailSlots } from './mail-slots.js'
import type { Standing } from './send-slots.js'

export const PEOPLE_MAIL_LIMITS: typeof MAIL_LIMITS = {
  ...MAIL_LIMITS,
  prompt: 4,
  late: 2,
  unknown: 2,
  hanging: 8,
  project: 3,
  unknownOfProject: 1,
  suspects: { prompt: 2, late: 1 },
}

/** The maximum number of e-mails under way to one domain; to one without a known result, one is. */
const OF_DOMAIN = 4

/** The maximum number of domains that are remembered. */
const REMEMBERED = 10_000

export class PeopleMailSlots {
  readonly #slots: MailSlots
  readonly #standing = new RecentMap<string, Standing>(REMEMBERED)
  /** The number of e-mails under way, by domain. */
  readonly #sending = new Map<string, number>()

  /** `now` is in ms; `onFree` is called when a slot becomes free because its e-mail takes long. */
  constructor(
    private readonly now: () => number,
    onFree: () => void,
  ) {
    this.#slots = new MailSlots(now, onFree, PEOPLE_MAIL_LIMITS)
  }

  /** Returns a function that tells, for one e-mail after another, whether it may begin now, and counts those that may. */
  budget(): (mail: DueMail) => boolean {
    const budget = this.#slots.budget()
    const sending = new Map(this.#sending)
    return ({ owner, domain }) => {
      const standing = this.#standingOf(domain)
      const already = sending.get(domain) ?? 0
      const most = Math.min(1, OF_DOMAIN - already)
      if (budget({ projectId: owner, standing, sending: already }, most) === 0) return false
      sending.set(domain, already + 1)
      return true
    }
  }

  /** Takes the slot of an e-mail; `cutOff` is called if others wait for it and it takes too long. */
  begin({ owner, domain }: DueMail, cutOff: (tookMs: number) => void): MailAttempt {
    const startedAt = this.now()
    const mail = this.#slots.begin({ projectId: owner, standing: this.#standingOf(domain) }, cutOff)
    this.#count(domain, 1)
    return {
      handedOver: () => this.#slots.handedOver(mail),
      end: sent => {
        this.#slots.end(mail)
        this.#count(domain, -1)
        if (sent !== null)
          this.#standing.set(domain, this.#standingAfter(domain, sent, this.now() - startedAt))
      },
    }
  }

  #standingAfter(domain: string, sent: boolean, tookMs: number): Standing {
    // Slower than late, even if it was sent: it does not share the slots of those that are late.
    if (tookMs >= PEOPLE_MAIL_LIMITS.hangsAfterMs) return 'timedOut'
    const isPrompt = tookMs < PEOPLE_MAIL_LIMITS.leavesAfterMs.prompt
    if (sent) return isPrompt ? 'prompt' : 'late'
    return isPrompt && this.#standingOf(domain) === 'prompt' ? 'prompt' : 'unknown'
  }

  #standingOf(domain: string): Standing {
    return this.#standing.get(domain) ?? 'unknown'
  }

  #count(domain: string, by: 1 | -1): void {
    const count = (this.#sending.get(domain) ?? 0) + by
    if (count === 0) this.#sending.delete(domain)
    else this.#sending.set(domain, count)
  }
}
