import { hookAt } from '../../formats.js'
import type { Destination } from '../../integration.js'
import { escapeAngles, escapeSlack } from '../../text/markup.js'
import { readerZone } from '../../text/reader-zone.js'
import { placeFields, webhookChat } from '../webhook-chat.js'
import { slackMessage, slackNotice } from './slack-message.js'
import { slackSettings, slackSetup } from './slack-setup.js'

const dialect = {
  text: escapeSlack,
  plain: escapeAngles,
  code: escapeAngles,
  notice: { text: escapeSlack, link: slackLink },
}

/** Source: Slack, "Formatting text". */
function slackLink(label: string, url: string): string {
  return `<${url}|${escapeSlack(label).replaceAll('|', '\u00a6')}>`
}

/** Other chats that read Slack's messages may not know its buttons. */
function dialectFor({ settings }: Destination) {
  return { ...dialect, buttons: SLACK_HOST.test(new URL(settings.url!).hostname) }
}

const SLACK_HOST = /(^|\.)slack(-gov)?\.com$/

/** Posts messages to a Slack channel. Source: docs/behaviour.md, section 8.4. */
export const slack = webhookChat({
  kind: 'slack',
  label: 'Slack',
  category: 'chat',
  colour: '#4a154b',
  popular: true,
  help:
    'Posts a message into a channel of your Slack workspace. You need the address of an incoming webhook, which ' +
    'Slack makes for a channel; other chats that read the messages of Slack work as well.',
  guide: `
In Slack, open **Tools & settings → Manage apps**, or create your own app at api.slack.com, add **Incoming Webhooks**
to it, choose the channel and copy the webhook URL.

The button under a down alert opens a page of Punctual, so the app needs no interactivity. Other chats that read the messages
of Slack get a link in the text.

If the webhook is removed, Slack answers 404, or 400 with \`invalid_token\`. Punctual then disables the channel and
notifies the other channels of the project.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<path d="M9 4v16M15 4v16M4 9h16M4 15h16"/></svg>',
  enabled: { setting: 'SLACK_ENABLED', name: 'Slack' },
  url: {
    help: 'Such as `https://hooks.slack.com/services/…`.',
    format: hookAt(
      SLACK_HOST,
      /^hooks\.[^/]+\/(services|workflows|triggers)\/./,
      'Enter the address of an incoming webhook, which begins with https://hooks.slack.com/services/.',
    ),
  },
  fields: placeFields(['team', 'Workspace'], ['channel', 'Channel']),
  operatorSettings: slackSettings,
  setup: slackSetup,
  alert: (alert, to) => slackMessage(alert, readerZone(alert, to), dialectFor(to)),
  notice: (notice, to) => slackNotice(notice, dialectFor(to)),
  isPermanent: ({ status, body }) => status === 404 || (status === 400 && body.trim() === 'invalid_token'),
})
