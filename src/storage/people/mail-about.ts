import { type ChannelTrouble, isInTrouble } from '../channels/channel-trouble.js'
import type { Db } from '../db.js'
import { isWebhookInTrouble, type WebhookTrouble } from '../events/webhook-trouble.js'

/** What an e-mail says, as far as it may become untrue while it waits. `mails.about` has it as JSON. */
export type MailAbout = ChannelTrouble | WebhookTrouble

/** The UUID of the channel or event webhook that an e-mail is about. */
export function subjectOf(about: MailAbout): string {
  return 'webhook' in about ? about.webhook : about.channel
}

/** Which of these, as `mails.about` has them, are not true any more. */
export async function untrueOf(db: Db, abouts: readonly (string | null)[]): Promise<Set<string>> {
  const untrue = new Set<string>()
  for (const about of new Set(abouts)) {
    if (about !== null && !(await isTrue(db, JSON.parse(about)))) untrue.add(about)
  }
  return untrue
}

async function isTrue(db: Db, about: MailAbout): Promise<boolean> {
  return await ('webhook' in about ? isWebhookInTrouble(db, about) : isInTrouble(db, about))
}
