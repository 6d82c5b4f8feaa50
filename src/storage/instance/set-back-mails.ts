/** What e-mails are about, after a clock that was ahead has been set back. Decision 0008. */
import { instant, kept, type SetBack, whole } from '../../core/time/set-back.js'
import type { ChannelTrouble } from '../channels/channel-trouble.js'
import type { Db } from '../db.js'
import type { WebhookTrouble } from '../events/webhook-trouble.js'
import type { MailAbout } from '../people/mail-about.js'
import { type QuotaTrouble, unsentFlips } from '../people/unsent-alerts.js'

const channelSetBack = whole<ChannelTrouble>({ channel: kept, trouble: kept, enablings: kept })
const webhookSetBack = whole<WebhookTrouble>({ webhook: kept, trouble: kept })
const quotaSetBack = whole<QuotaTrouble>({
  quota: kept,
  project: kept,
  called: kept,
  since: instant,
  named: kept,
})

/** Brings back `mails.about`. */
export async function setBackMails(db: Db, step: SetBack): Promise<void> {
  const rows = await db.sql
    .selectFrom('mails')
    .select(['id', 'about'])
    .where('about', 'is not', null)
    .execute()
  for (const { id, about } of rows) {
    const after = JSON.stringify(await aboutSetBack(db, JSON.parse(about!), step))
    if (after !== about)
      await db.sql.updateTable('mails').set({ about: after }).where('id', '=', id).execute()
  }
}

async function aboutSetBack(db: Db, about: MailAbout, step: SetBack): Promise<MailAbout> {
  if ('channel' in about) return channelSetBack(about, step)
  if ('webhook' in about) return webhookSetBack(about, step)
  const back = quotaSetBack(about, step)
  if (back.since === about.since) return about
  // What exceeded the quota before `since` by the clock that was ahead was named by the e-mails before.
  const unsent = await unsentFlips(db, back)
  const before = unsent.filter(({ exceededAt }) => exceededAt < about.since).map(({ id }) => id)
  return { ...back, named: [...(about.named ?? []), ...before] }
}
