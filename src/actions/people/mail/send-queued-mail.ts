/** Sends an e-mail that was queued for a person. */
import { nextMailAttemptAt } from '../../../core/alerts/delivery/retry.js'
import { BOUNCES_WITHIN_MS, bounceToken } from '../../../lib/mail/bounce-token.js'
import { MailError } from '../../../lib/mail/mail-error.js'
import type { Mailer } from '../../../lib/mail/mailer.js'
import type { ClaimedMail } from '../../../storage/people/claim-mails.js'
import type { SettledMail } from '../../../storage/people/settle-mails.js'
import { composeQuotaMail, type QuotaMailDeps } from './compose-quota-mail.js'

export interface SendQueuedMailDeps extends QuotaMailDeps {
  /** Settles an attempt. Rejects if that failed for good. */
  settle(settled: SettledMail): Promise<unknown>
  mailer: Mailer
  secretKey: string
  /** Whether bounces are reported: EMAIL_MAIL_FROM_TMPL is set. */
  hearsBounces: boolean
  /** Names this process in the claims. */
  worker: string
  onError(error: unknown): void
  /** Called once for each attempt, for the log. */
  onMail(event: { kind: string; outcome: string; error?: string }): void
}

/** What is told how an attempt proceeds. */
export interface MailAttempt {
  /** Called when the mail server has the whole e-mail and has only to accept it. */
  handedOver(): void
  /** Called when it was sent, or was not (null: it is not known), before that is settled. */
  end(sent: boolean | null): void
}

interface MailSignals {
  /** Aborts when the process stops: the result is not known, nothing is settled, and the caller releases the claim. */
  stop: AbortSignal
  /** Aborts with a `MailError`: the attempt has failed with that. */
  cutOff: AbortSignal
}

/** Sends a claimed e-mail and settles the attempt. */
export async function sendQueuedMail(
  deps: SendQueuedMailDeps,
  mail: ClaimedMail,
  { stop, cutOff }: MailSignals,
  slot: MailAttempt,
): Promise<void> {
  const signal = AbortSignal.any([stop, cutOff])
  const { worker } = deps
  const startedAt = deps.clock.now()
  const { uuid, kind, to, about, unsubscribeUrl } = mail
  let next: Pick<SettledMail, 'next'> = {}
  try {
    // What bounced: a notice, by itself, or the reports and reminders of a person.
    const bounced = kind === 'notice' ? `m.${uuid}` : `r.${mail.userUuid}`
    const bounceId = bounceToken(deps.secretKey, bounced, startedAt)
    const headers = headersOf(unsubscribeUrl)
    const composed = about !== null && 'quota' in about ? await composeQuotaMail(deps, about) : null
    const { subject, text, html } = composed?.words ?? mail
    if (composed) next = { next: composed.next }
    const message = { id: uuid, bounceId, to, subject, text, html, headers, onHandedOver: slot.handedOver }
    // Retries are made here, after growing pauses.
    await deps.mailer.send(message, signal, { once: true })
  } catch (error) {
    const isUnknown = signal.aborted && !(signal.reason instanceof MailError)
    slot.end(isUnknown ? null : false)
    if (isUnknown) return
    if (!(error instanceof MailError)) deps.onError(error)
    const now = deps.clock.now()
    const { lasting } = mail
    const retryAt = nextMailAttemptAt({ since: mail.createdAt, attempts: mail.attempts + 1, lasting }, now)
    const outcome = retryAt === null ? 'gave-up' : { retryAt }
    await deps.settle({ worker, uuid, outcome, now })
    const reason = error instanceof Error ? error.message : String(error)
    deps.onMail({ kind, outcome: retryAt === null ? 'gave-up' : 'retry', error: reason })
    return
  }
  slot.end(true)
  const now = deps.clock.now()
  const sending = { startedAt, bouncesUntil: now + BOUNCES_WITHIN_MS, attempts: mail.attempts }
  const mayBounce = deps.hearsBounces && mail.lasting ? { mayBounce: sending } : {}
  await deps.settle({ worker, uuid, outcome: 'sent', ...mayBounce, ...next, now })
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
