/** The notice about a channel, to the project's other channels and, if none of them carries notices, to people. */
import type { Site } from '../../core/alerts/alert.js'
import { integrations } from '../../integrations/index.js'
import type { Integration } from '../../integrations/integration.js'
import { channelNotice, type Trouble } from '../../integrations/text/channel-notice.js'
import type { ChannelNotice } from '../../storage/alerts/channel-notices.js'
import { noticeHtml, noticePlain } from '../../views/emails/notice.js'

/** The kinds of channels that deliver notices. */
const CARRIERS = integrations.filter(({ notify }) => notify).map(({ kind }) => kind)

/** Composes it, with the e-mail for the people; where none can be sent, that waits until a mail server is set up. */
export function composeChannelNotice(
  { site }: { site: Site },
  channel: { uuid: string; name: string; settings: Record<string, string> },
  integration: Integration,
  { trouble, error }: { trouble: Trouble; error: string },
): ChannelNotice {
  const words = channelNotice(site, channel, integration, { trouble, error })
  const about = {
    channel: channel.uuid,
    trouble: trouble === 'disabled' ? trouble : ('unreachable' as const),
  }
  const props = { siteName: site.name, siteRoot: site.root, unsubscribeUrl: null, ...words, items: [] }
  const mail = {
    kind: 'notice' as const,
    subject: words.title,
    text: noticePlain(props),
    html: noticeHtml(props),
    unsubscribeUrl: '',
  }
  return { ...words, about, fallback: { mail, carriers: CARRIERS } }
}
