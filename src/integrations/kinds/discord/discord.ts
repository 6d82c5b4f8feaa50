import { hookAt } from '../../formats.js'
import { disableMentions, escapeChatMarkdown } from '../../text/markup.js'
import { readerZone } from '../../text/reader-zone.js'
import { slackMessage, slackNotice } from '../slack/slack-message.js'
import { placeFields, webhookChat } from '../webhook-chat.js'
import { discordSettings, discordSetup } from './discord-setup.js'

const dialect = { text: escapeChatMarkdown, plain: disableMentions }

/**
 * Posts messages to a Discord channel, through its Slack-compatible endpoint.
 * Source: docs/behaviour.md, section 8.4; Discord, "Execute Slack-Compatible Webhook".
 */
export const discord = webhookChat({
  kind: 'discord',
  label: 'Discord',
  category: 'chat',
  colour: '#5865f2',
  popular: true,
  help: 'Posts a message into a channel of your Discord server. You need the address of a webhook of the channel.',
  guide: `
In Discord, open the channel's settings, **Integrations → Webhooks → New Webhook**, and copy the webhook URL.

If the webhook is deleted, Discord answers 404. Punctual then disables the channel and notifies the other channels of
the project.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<path d="M4 16v-3a8 8 0 0 1 16 0v3"/><path d="M4 14h3v6H4zM17 14h3v6h-3z" stroke-linejoin="round"/></svg>',
  url: {
    help: 'Such as `https://discord.com/api/webhooks/…`.',
    format: hookAt(
      /(^|\.)discord(app)?\.(com|gg)$/,
      /^[^/]+\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]/,
      'Enter the address of a webhook, which begins with https://discord.com/api/webhooks/.',
    ),
  },
  fields: placeFields(['guild', 'Server'], ['channel', 'Channel']),
  address: slackAddress,
  operatorSettings: discordSettings,
  setup: discordSetup,
  alert: (alert, to) => slackMessage(alert, readerZone(alert, to), dialect),
  notice: notice => slackNotice(notice, dialect),
  isPermanent: ({ status }) => status === 404,
})

/** The Slack-compatible endpoint of a webhook. Keeps the query, such as `thread_id`. */
function slackAddress(pasted: string): string {
  const url = new URL(pasted)
  if (url.hostname === 'discordapp.com') url.hostname = 'discord.com'
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/slack$/, '')}/slack`
  return url.href
}
