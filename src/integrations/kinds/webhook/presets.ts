/**
 * Requests that well-known receivers accept. `$NAME_JSON` is a whole string of JSON, and `$STATUS` and `$NOW` contain nothing that
 * would have to be escaped, so the bodies are valid JSON for every check. They serve both directions.
 */
import type { Preset } from '../../integration.js'

const SENTENCE = 'It is $STATUS since $NOW.'
const JSON_TYPE = 'Content-Type: application/json'

/** Source: https://api.slack.com/messaging/webhooks and https://api.slack.com/reference/messaging/attachments */
const slack = {
  text: '$NAME_JSON',
  attachments: [{ text: SENTENCE, fallback: SENTENCE }],
}

/** Source: https://discord.com/developers/docs/resources/webhook#execute-webhook */
const discord = { embeds: [{ title: '$NAME_JSON', description: SENTENCE }], allowed_mentions: { parse: [] } }

/** Source: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
const teams = {
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { type: 'TextBlock', text: '$NAME_JSON', weight: 'Bolder', wrap: true },
          { type: 'TextBlock', text: SENTENCE, wrap: true },
        ],
      },
    },
  ],
}

/** Source: https://docs.ntfy.sh/publish/#publish-as-json */
const ntfy = { topic: 'my-topic', title: '$NAME_JSON', message: SENTENCE }

/** Source: https://gotify.net/docs/pushmsg */
const gotify = { title: '$NAME_JSON', message: SENTENCE, priority: 5 }

/** Source: https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger */
const homeAssistant = { check: '$NAME_JSON', status: '$STATUS', since: '$NOW' }

export const WEBHOOK_PRESETS: readonly Preset[] = [
  preset(
    'slack',
    'Slack',
    slack,
    'Enter the URL of an incoming webhook, https://hooks.slack.com/services/….',
  ),
  preset('discord', 'Discord', discord, 'Enter the URL of a webhook of the channel, from its settings.'),
  preset(
    'teams',
    'Microsoft Teams',
    teams,
    'Enter the URL of a workflow that posts webhook requests to a channel.',
  ),
  preset(
    'ntfy',
    'ntfy',
    ntfy,
    'Enter the URL of the server, such as https://ntfy.sh, and the topic in the body.',
  ),
  preset(
    'gotify',
    'Gotify',
    gotify,
    'Enter the URL of the server with /message, and the token of an application in the headers.',
    'X-Gotify-Key: TOKEN',
  ),
  preset(
    'home-assistant',
    'Home Assistant',
    homeAssistant,
    'Enter the URL of the webhook trigger, https://…/api/webhook/….',
  ),
  preset(
    'json',
    'The whole check as JSON',
    '$JSON',
    'Enter the URL. The body is the check as the API shows it.',
  ),
]

function preset(name: string, label: string, body: object | string, next: string, header = ''): Preset {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  const values = {
    method: 'POST',
    headers: header === '' ? JSON_TYPE : `${JSON_TYPE}\n${header}`,
    // This placeholder brings its own quotes.
    body: text.replaceAll('"$NAME_JSON"', '$NAME_JSON'),
  }
  const both = Object.entries(values).flatMap(([field, value]) => [
    [`${field}_down`, value],
    [`${field}_up`, value],
  ])
  return { name, label, values: Object.fromEntries(both), next: `Filled in for ${label}. ${next}` }
}
