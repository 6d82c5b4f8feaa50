/** Sends the queued e-mails. */
import { nextAttemptAt } from '../../../core/alerts/delivery/retry.js'
import type { Clock } from '../../../lib/clock.js'
import { bounceToken } from '../../../lib/mail/bounce-token.js'
import { MailError } from '../../../lib/mail/mail-error.js'
import type { Mailer } from '../../../lib/mail/mailer.js'
import type { ClaimedMail } from '../../../storage/people/mails.js'
import type { StoreWith } from '../../../storage/store.js'

export interface SendMailsDeps {
  store: StoreWith<'people.claimMails' | 'people.settleMail'>
  clock: Clock
  mailer: Mailer
  secretKey: string
  /** Names this process in the claims. */
  worker: string
  onError(error: unknown): void
  /** Called once for each attempt, for the log. */
  onMail(event: { kind: string; outcome: string; error?: string }): void
}

/** How many e-mails are sent at once. A claim lasts longer than the mailer's attempts. */
const BATCH = 4
const LEASE_MS = 240_000

/**
 * Sends the e-mails that are due until none is left or `signal` aborts. After an abort, the caller releases those that
 * were not sent.
 */
export async function sendMails(deps: SendMailsDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = deps.clock.now()
    const claim = { worker: deps.worker, now, leaseUntil: now + LEASE_MS, limit: BATCH }
    const mails = signal.aborted ? [] : await deps.store.people.claimMails(claim)
    if (mails.length === 0) return
    await Promise.all(mails.map(mail => sendOne(deps, mail, signal)))
  }
}

async function sendOne(deps: SendMailsDeps, mail: ClaimedMail, signal: AbortSignal): Promise<void> {
  const { worker } = deps
  const { uuid, kind, to, subject, text, html, unsubscribeUrl } = mail
  try {
    const bounceId = bounceToken(deps.secretKey, `r.${mail.userUuid}`, deps.clock.now())
    const message = { id: uuid, bounceId, to, subject, text, html, headers: headersOf(unsubscribeUrl) }
    // Retries are made here, after growing pauses.
    await deps.mailer.send(message, signal, { once: true })
  } catch (error) {
    // The process is stopping. The result is not known, so nothing is settled.
    if (signal.aborted) return
    if (!(error instanceof MailError)) deps.onError(error)
    const badRecipient = error instanceof MailError && error.badRecipient
    const tried = { since: mail.createdAt, attempts: mail.attempts + 1, lasting: mail.lasting }
    const now = deps.clock.now()
    const retryAt = badRecipient ? null : nextAttemptAt(tried, now)
    const outcome = retryAt === null ? 'gave-up' : { retryAt }
    await deps.store.people.settleMail({ worker, uuid, outcome, now })
    const reason = error instanceof Error ? error.message : String(error)
    deps.onMail({ kind, outcome: retryAt === null ? 'gave-up' : 'retry', error: reason })
    return
  }
  await deps.store.people.settleMail({ worker, uuid, outcome: 'sent', now: deps.clock.now() })
  deps.onMail({ kind, outcome: 'sent' })
}

/** Source: RFC 8058 (one-click) and RFC 3834 (no automatic replies). */
function headersOf(unsubscribeUrl: string): Record<string, string> {
  const automatic = { 'Auto-Submitted': 'auto-generated' }
  if (unsubscribeUrl === '') return automatic
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    ...automatic,
  }
}
