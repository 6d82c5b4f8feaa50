/** Quotas of messages that cost money. Source: docs/behaviour.md, section 11. */

import { digestWords } from '../../core/alerts/digest.js'
import { monthAt } from '../../core/time/calendar.js'
import { monthWords } from '../../core/time/date-words.js'
import type { Integration } from '../../integrations/integration.js'
import type { Clock } from '../../lib/clock.js'
import type { FlipRef } from '../../storage/alerts/digest-facts.js'
import type { QueuedMail, TeamMail } from '../../storage/people/mails.js'
import type { StoreWith } from '../../storage/store.js'
import { noticeHtml, noticePlain } from '../../views/emails/notice.js'

const DAY_MS = 86_400_000

export interface QuotaDeps {
  store: StoreWith<'people.takeQuota' | 'alerts.digestFacts'>
  clock: Clock
  site: { name: string; root: string }
  /** The maximum number of messages an account may send from each quota in a calendar month. */
  quotas: Readonly<Record<'messages' | 'calls', number>>
  /** Whether this installation can send e-mail. */
  sendsMail: boolean
}

/** Why a message is not sent, and the e-mail about it to the project's people; null if none can be sent. */
export interface OverQuota {
  error: string
  mail: TeamMail | null
}

/**
 * Counts a message against its kind's quota. Returns null if it may be sent; kinds without a quota are not limited.
 * `flipIds`: the flips that the message is about.
 */
export async function chargeQuota(
  deps: QuotaDeps,
  { quota }: Integration,
  projectId: number,
  flips: readonly FlipRef[],
): Promise<OverQuota | null> {
  if (!quota) return null
  const limit = deps.quotas[quota.name]
  const month = monthAt(deps.clock.now(), 'UTC')
  if (await deps.store.people.takeQuota({ projectId, name: quota.name, limit, month })) return null
  const error = `Monthly ${quota.called} limit exceeded`
  if (!deps.sendsMail) return { error, mail: null }
  const once = { key: `over-quota:${projectId} ${quota.called}`, capacity: 1, periodMs: DAY_MS }
  return {
    error,
    mail: { ...(await mailOf(deps, error, limit, month, { projectId, flips })), limit: once },
  }
}

async function mailOf(
  { store, clock, site }: QuotaDeps,
  error: string,
  limit: number,
  month: number,
  { projectId, flips }: { projectId: number; flips: readonly FlipRef[] },
): Promise<QueuedMail> {
  const { project, lines } = await store.alerts.digestFacts(projectId, flips)
  const unsent = digestWords(lines, project?.name ?? '', clock.now(), { root: site.root })
  const url = project ? `${site.root}/projects/${project.uuid}/integrations/` : site.root
  const props = {
    siteName: site.name,
    siteRoot: site.root,
    unsubscribeUrl: null,
    title: error,
    intro: `All ${limit} of ${monthWords(month)} are used up${lines.length === 0 ? '.' : ', so this was not sent:'}`,
    items: unsent.items,
    text: [unsent.text, 'Such an e-mail is sent at most once a day per project.']
      .filter(Boolean)
      .join('\n\n'),
    url,
  }
  return {
    kind: 'notice',
    subject: error,
    text: noticePlain(props),
    html: noticeHtml(props),
    unsubscribeUrl: '',
  }
}
