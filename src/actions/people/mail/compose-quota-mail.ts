/** The e-mail that a monthly quota is used up, with the alerts that were not sent. Decision 0102. */
import { type Quota, quotaError } from '../../../core/alerts/delivery/quota.js'
import { digestWords } from '../../../core/alerts/digest.js'
import { monthAt } from '../../../core/time/calendar.js'
import { monthWords } from '../../../core/time/date-words.js'
import { integrationOf } from '../../../integrations/index.js'
import type { Clock } from '../../../lib/clock.js'
import type { DigestFacts } from '../../../storage/alerts/digest-facts.js'
import type { QueuedMail } from '../../../storage/people/mails.js'
import type { QuotaTrouble } from '../../../storage/people/unsent-alerts.js'
import type { StoreWith } from '../../../storage/store.js'
import { noticeHtml, noticePlain } from '../../../views/emails/notice.js'
import type { QuotaDeps } from '../../alerts/charge-quota.js'

export interface QuotaMailDeps extends QuotaDeps {
  clock: Clock
  store: StoreWith<'people.unsentFor' | 'alerts.digestFacts'>
  site: { name: string; root: string }
}

export type QuotaWords = Pick<QueuedMail, 'subject' | 'text' | 'html'>

/** The words of a queued e-mail at the time of sending, so that they name what came while it waited, and what the next one is about. */
export async function composeQuotaMail(
  deps: QuotaMailDeps,
  about: QuotaTrouble,
): Promise<{ words: QuotaWords; next: QuotaTrouble }> {
  const { called } = about
  const limit = deps.quotas[integrationOf(about.quota)!.quota!.name]
  const { projectId, flips, exceededAt, next } = await deps.store.people.unsentFor(about, deps.clock.now())
  const facts = await deps.store.alerts.digestFacts(projectId, flips)
  return { words: quotaWords(deps, { called, limit }, facts, exceededAt), next }
}

/** That a quota was used up at an instant (ms), and what was not sent. */
export function quotaWords(
  { clock, site }: Pick<QuotaMailDeps, 'clock' | 'site'>,
  { called, limit }: Pick<Quota, 'called' | 'limit'>,
  { project, lines }: DigestFacts,
  since: number,
): QuotaWords {
  const unsent = digestWords(lines, project?.name ?? '', clock.now(), { root: site.root })
  const subject = quotaError({ called })
  const used =
    limit === 0
      ? 'None can be sent: the limit is 0'
      : `All ${limit} of ${monthWords(monthAt(since, 'UTC'))} are used up`
  const props = {
    siteName: site.name,
    siteRoot: site.root,
    unsubscribeUrl: null,
    title: subject,
    intro: lines.length === 0 ? `${used}.` : `${used}, so this was not sent:`,
    items: unsent.items,
    text: [unsent.text, limit === 0 ? OUTLOOK_OF_NONE : OUTLOOK, ONCE_A_DAY].filter(Boolean).join('\n\n'),
    url: project ? `${site.root}/projects/${project.uuid}/integrations/` : site.root,
  }
  return { subject, text: noticePlain(props), html: noticeHtml(props) }
}

const OUTLOOK =
  'What is still true is sent when the next month begins (UTC), or soon after the operator raises the limit.'
const OUTLOOK_OF_NONE = 'What is still true is sent soon after the operator raises the limit.'
const ONCE_A_DAY = 'Such an e-mail is sent at most once a day per project and kind of message.'
