import { addressThat } from '../formats.js'
import { disableMentions, escapeChatMarkdown } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import { slackMessage, slackNotice } from './slack/slack-message.js'
import { webhookChat } from './webhook-chat.js'

const dialect = { text: escapeChatMarkdown, plain: disableMentions }

/** Posts messages to a Mattermost channel, in Slack's format. Source: docs/behaviour.md, section 8.4. */
export const mattermost = webhookChat({
  kind: 'mattermost',
  label: 'Mattermost',
  category: 'chat',
  colour: '#1e325c',
  help: 'Posts a message into a channel of your Mattermost server. You need the address of an incoming webhook.',
  guide: `
In Mattermost, open **Integrations → Incoming Webhooks → Add Incoming Webhook**, choose the channel and copy the
address. Allow webhooks to override the username and the picture if messages should have those of Punctual.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<circle cx="12" cy="12" r="9"/><path d="M8 16V9l4 4 4-4v7" stroke-linejoin="round"/></svg>',
  enabled: { setting: 'MATTERMOST_ENABLED', name: 'Mattermost' },
  url: {
    help: 'Such as `https://mattermost.example.org/hooks/…`.',
    format: addressThat(
      ({ pathname }) => !/\/(channels|messages|integrations)\//.test(pathname),
      'Enter the address of an incoming webhook, such as https://mattermost.example.org/hooks/….',
    ),
  },
  alert: (alert, to) => slackMessage(alert, readerZone(alert, to), dialect),
  notice: notice => slackNotice(notice, dialect),
})
