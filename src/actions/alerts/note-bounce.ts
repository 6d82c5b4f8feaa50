import type { Site } from '../../core/alerts/alert.js'
import { failureOf, readDeliveryReport, reportWords } from '../../core/alerts/delivery-report.js'
import { BOUNCES_WITHIN_MS, readBounceToken } from '../../lib/mail/bounce-token.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import { reportsUnknownRecipient } from '../../lib/mail/unknown-recipient.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { Store } from '../../storage/store.js'
import { noteDeliveryStatus } from './note-delivery-status.js'

export interface BounceDeps {
  store: Store
  site: Site
  secretKeys: SecretKeys
  /** The value of EMAIL_MAIL_FROM_TMPL. */
  envelopeTemplate: string
  /** Called with each bounce that counts, for the log. */
  onBounce(event: BounceEvent): void
}

/** What an e-mail that came back led to, for the log: a channel and its kind, or the kind of an e-mail to a person. */
export interface BounceEvent {
  channel?: string
  kind: string
  /** `stop`: the person's reports and reminders are off. `noted`: it is only shown, or only logged. */
  outcome: 'disable' | 'retry' | 'stop' | 'noted'
  error: string
  /** Set when nothing has arrived through the channel for a day: the operator should know. */
  unreachable?: true
}

export type BounceOutcome = '' | 'bad signature' | 'ignored' | 'notification not found' | 'user not found'

/**
 * Records that an e-mail from Punctual bounced. It is sent again, except reports and reminders. If its recipient does not exist, a
 * channel is disabled once that has gone on for an hour, and a person's reports and reminders end. Returns why nothing was recorded;
 * empty if it was. Decision 0159.
 */
export async function noteBounce(
  deps: BounceDeps,
  bounce: Pick<MailTexts, 'to' | 'text'>,
  now: number,
): Promise<BounceOutcome> {
  const token = tokenIn(bounce.to, deps.envelopeTemplate)
  const sent = readBounceToken(deps.secretKeys, token, now)
  const [, kind, uuid] = /^([nmr])\.(.+)$/.exec(sent?.value ?? '') ?? []
  if (!sent || uuid === undefined) return 'bad signature'
  const report = readDeliveryReport(bounce.text)
  const failure = failureOf(report)
  if (failure === 'no') return 'ignored'
  const error = reportWords(report)
  const unknownRecipient = failure === 'permanent' && reportsUnknownRecipient(report)
  if (kind === 'r')
    return await noteReport(deps, { userUuid: uuid, sentAt: sent.signedAt }, { error, unknownRecipient })
  if (kind === 'm') {
    const isRetried = await deps.store.people.noteMailBounced({ uuid, signedAt: sent.signedAt, now })
    if (isRetried) deps.onBounce({ kind: 'notice', outcome: 'retry', error })
    return isRetried ? '' : 'notification not found'
  }
  const noted = await noteDeliveryStatus(deps, {
    notificationUuid: uuid,
    error,
    disable: false,
    bounce: { unknownRecipient },
    now,
    windowMs: BOUNCES_WITHIN_MS,
  })
  if (!noted) return 'notification not found'
  const { outcome, unreachable, ...channel } = noted
  if (outcome) deps.onBounce({ ...channel, outcome, error, ...(unreachable && { unreachable }) })
  return ''
}

/** A report or reminder bounced. */
async function noteReport(
  { store, onBounce }: BounceDeps,
  sent: { userUuid: string; sentAt: number },
  { error, unknownRecipient }: { error: string; unknownRecipient: boolean },
): Promise<BounceOutcome> {
  if (!(await store.people.findUserByUuid(sent.userUuid))) return 'user not found'
  // Reports go only to proven addresses. An older e-mail went to another address, or arrives now. `sentAt` is in whole
  // seconds: an e-mail of the second in which the address was proven may have gone to the former one.
  if (unknownRecipient && !(await store.reports.stopReports(sent))) return 'ignored'
  onBounce({ kind: 'report', outcome: unknownRecipient ? 'stop' : 'noted', error })
  return ''
}

/** The text at the place of the template's %s, before the @. */
function tokenIn(address: string, template: string): string {
  const local = address.slice(0, address.lastIndexOf('@'))
  const [before = '', after = ''] = template.slice(0, Math.max(0, template.lastIndexOf('@'))).split('%s')
  const fits = local.startsWith(before) && local.endsWith(after)
  return fits ? local.slice(before.length, local.length - after.length) : local
}
