import { type ChannelTrouble, isInTrouble } from '../channels/channel-trouble.js'
import type { Db } from '../db.js'
import { isWebhookInTrouble, type WebhookTrouble } from '../events/webhook-trouble.js'
import { areUnsent, type QuotaTrouble } from './unsent-alerts.js'

/** What an e-mail says, as far as it may become untrue while it waits. `mails.about` has it as JSON. */
export type MailAbout = ChannelTrouble | WebhookTrouble | QuotaTrouble

/** What names the channel, event webhook or quota that an e-mail is about in `mails.about`. */
export function subjectOf(about: MailAbout): string {
  if ('quota' in about) return JSON.stringify({ quota: about.quota, project: about.project }).slice(1, -1)
  return 'webhook' in about ? about.webhook : about.channel
}

/** Which of these, as `mails.about` has them, are not true any more. */
export async function untrueOf(
  db: Db,
  abouts: readonly (string | null)[],
  now: number,
): Promise<Set<string>> {
  const untrue = new Set<string>()
  for (const about of new Set(abouts)) {
    if (about !== null && !(await isTrue(db, JSON.parse(about), now))) untrue.add(about)
  }
  return untrue
}

async function isTrue(db: Db, about: MailAbout, now: number): Promise<boolean> {
  if ('quota' in about) return await areUnsent(db, about, now)
  return await ('webhook' in about ? isWebhookInTrouble(db, about) : isInTrouble(db, about, now))
}
