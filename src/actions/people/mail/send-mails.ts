/** Sends the e-mails that wait. */
import { nextAttemptAt } from '../../../core/alerts/delivery/retry.js'
import { bounceToken } from '../../../lib/mail/bounce-token.js'
import { MailError } from '../../../lib/mail/mail-error.js'
import type { ClaimedMail } from '../../../storage/people/mails.js'
import type { ReportDeps } from '../../reports/report-deps.js'

/** Sent at once; a claim lasts longer than the mailer's tries. */
const AT_ONCE = 4
const LEASE_MS = 120_000

/** Sends what is due, until nothing is or `signal` ends it; then what was not sent is given back by the caller. */
export async function sendMails(deps: ReportDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = deps.clock.now()
    const claim = { worker: deps.worker, now, leaseUntil: now + LEASE_MS, limit: AT_ONCE }
    const mails = signal.aborted ? [] : await deps.store.people.claimMails(claim)
    if (mails.length === 0) return
    await Promise.all(mails.map(mail => sendOne(deps, mail, signal)))
  }
}

async function sendOne(deps: ReportDeps, mail: ClaimedMail, signal: AbortSignal): Promise<void> {
  const { worker } = deps
  const { uuid, kind, to, subject, text, html, unsubscribeUrl } = mail
  try {
    const bounceId = bounceToken(deps.secretKey, `r.${mail.userUuid}`, deps.clock.now())
    const message = { id: uuid, bounceId, to, subject, text, html, headers: headersOf(unsubscribeUrl) }
    // Tried again from here, with growing pauses.
    await deps.mailer.send(message, signal, { once: true })
  } catch (error) {
    // Cut off by a stop: what came of it is not known, so nothing is settled.
    if (signal.aborted) return
    if (!(error instanceof MailError)) deps.onError(error)
    const badRecipient = error instanceof MailError && error.badRecipient
    const tried = { since: mail.createdAt, attempts: mail.attempts + 1, lasting: false }
    const dueAt = badRecipient ? null : nextAttemptAt(tried, deps.clock.now())
    await deps.store.people.settleMail({ worker, uuid, dueAt })
    const reason = error instanceof Error ? error.message : String(error)
    deps.onMail({ kind, outcome: dueAt === null ? 'gave-up' : 'retry', error: reason })
    return
  }
  await deps.store.people.settleMail({ worker, uuid, dueAt: null })
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
