import type { Site } from '../../core/alerts/alert.js'
import { failureOf, readDeliveryReport, reportWords } from '../../core/alerts/delivery-report.js'
import { readBounceToken } from '../../lib/mail/bounce-token.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { Store } from '../../storage/store.js'
import { noteDeliveryStatus } from './note-delivery-status.js'

export interface BounceDeps {
  store: Store
  site: Site
  secretKeys: SecretKeys
  /** The value of EMAIL_MAIL_FROM_TMPL. */
  envelopeTemplate: string
}

/** A bounce may take days. Source: docs/behaviour.md, section 4.10. */
const NEWS_WINDOW_MS = 48 * 3_600_000

export type BounceOutcome = '' | 'bad signature' | 'ignored' | 'notification not found' | 'user not found'

/**
 * Records that an e-mail from Punctual bounced: an error of the channel, which is disabled if the failure is
 * permanent, or the end of a person's reports and reminders. Returns why nothing was recorded; empty if it was.
 */
export async function noteBounce(
  deps: BounceDeps,
  bounce: Pick<MailTexts, 'to' | 'text'>,
  now: number,
): Promise<BounceOutcome> {
  const token = tokenIn(bounce.to, deps.envelopeTemplate)
  const sent = readBounceToken(deps.secretKeys, token, now)
  const [, kind, uuid] = /^([nr])\.(.+)$/.exec(sent?.value ?? '') ?? []
  if (!sent || uuid === undefined) return 'bad signature'
  const report = readDeliveryReport(bounce.text)
  const failure = failureOf(report)
  if (failure === 'no') return 'ignored'
  if (kind === 'r') return await notePerson(deps, { userUuid: uuid, sentAt: sent.signedAt }, failure)
  const known = await noteDeliveryStatus(deps, {
    notificationUuid: uuid,
    error: reportWords(report),
    disable: failure === 'permanent',
    now,
    windowMs: NEWS_WINDOW_MS,
  })
  return known ? '' : 'notification not found'
}

async function notePerson(
  { store }: BounceDeps,
  sent: { userUuid: string; sentAt: number },
  failure: 'permanent' | 'later',
): Promise<BounceOutcome> {
  if (!(await store.people.findUserByUuid(sent.userUuid))) return 'user not found'
  if (failure === 'later') return ''
  // Reports go only to proven addresses. An older e-mail went to another address, or arrives now. `sentAt` is in whole
  // seconds: an e-mail of the second in which the address was proven may have gone to the former one.
  return (await store.reports.stopReports(sent)) ? '' : 'ignored'
}

/** The text at the place of the template's %s, before the @. */
function tokenIn(address: string, template: string): string {
  const local = address.slice(0, address.lastIndexOf('@'))
  const [before = '', after = ''] = template.slice(0, Math.max(0, template.lastIndexOf('@'))).split('%s')
  const fits = local.startsWith(before) && local.endsWith(after)
  return fits ? local.slice(before.length, local.length - after.length) : local
}
