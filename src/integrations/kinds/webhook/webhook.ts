/** Sends a request to the user's URL for each alert. Source: docs/behaviour.md, sections 8.4 and 8.5. */
import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings, Field } from '../../field.js'
import { expectOk } from '../../http/expect-ok.js'
import { parseHeaders } from '../../http/header-lines.js'
import { webhookRequest } from '../../http/webhook-request.js'
import type { Integration } from '../../integration.js'
import { maskUrl } from '../../masked.js'
import { requireEnabled } from '../../require-enabled.js'
import { ALERT_PLACEHOLDERS, placeholderHelp } from '../../text/alert-placeholders.js'
import { WEBHOOK_PRESETS } from './presets.js'
import { previewRequest } from './preview-request.js'

export const webhook: Integration = {
  kind: 'webhook',
  label: 'Webhook',
  category: 'anything',
  popular: true,
  help:
    'Sends an HTTP request to your server when a check goes down, when it comes back up, or both. ' +
    'You choose the method, the headers and the body.',
  guide: `
In the address, the values of placeholders are percent-encoded. In headers, characters that a header cannot contain are
written as character references such as \`&#257;\`. In the body, values are not escaped, so write \`$NAME_JSON\` rather
than \`"$NAME"\` in JSON. Placeholders in values are not expanded. A request contains at most 1.5 MB of values. Further ones
are cut: of a body, the end follows \`[truncated]\`; \`$JSON\` becomes \`{"truncated": true}\`, and everything else
\`[truncated]\`. In \`$JSON\`, a description of more than 50,000 characters is cut.

A GET request has no body. The content type is \`text/plain\` unless you set a \`Content-Type\` header. Every request has
an \`Idempotency-Key\` header, which stays the same when a delivery is repeated, so that you can ignore duplicates. The
status and headers of the response must arrive within 30 seconds, and the status must be 200, 201, 202 or 204. Whether the
rest of the response arrives does not matter. Otherwise, Punctual tries again with
growing pauses for a day, and after that every 30 to 60 minutes while the alert is still current. It respects the
\`Retry-After\` header of responses with status 429 or 503.`,
  placeholders: {
    where: 'The address, the values of the headers and the body',
    list: placeholderHelp(ALERT_PLACEHOLDERS),
  },
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<path d="M4 12h12"/><path d="m12 7 5 5-5 5"/><path d="M20 5v14"/></svg>',
  presets: WEBHOOK_PRESETS,
  preview: previewRequest,
  operatorSettings: [
    { name: 'WEBHOOKS_ENABLED', type: 'flag', default: 'True', help: 'Whether webhooks may be used.' },
  ],
  needs: ['WEBHOOKS_ENABLED'],
  fields: [...fieldsOf('down', 'goes down'), ...fieldsOf('up', 'comes back up')],
  check(settings) {
    if (!settings.url_down && !settings.url_up) {
      throw new Refusal('invalid', 'Enter a URL for at least one of the two directions.', 'url_down')
    }
    parseHeaders(settings.headers_down!, 'headers_down')
    parseHeaders(settings.headers_up!, 'headers_up')
    return settings
  },
  describe(settings) {
    const { method_down, method_up } = settings
    const [down, up] = [maskUrl(settings.url_down!), maskUrl(settings.url_up!)]
    if (down === up) return `${[...new Set([method_down, method_up])].join(' and ')} ${down}`
    const lines = [down && `${method_down} ${down} (down)`, up && `${method_up} ${up} (up)`]
    return lines.filter(line => line !== '').join(', ')
  },
  wants: (settings, status) => Boolean(settings[`url_${status}`]),
  explains: settings => holds(settings, '$FINDING'),
  containsJson: settings => holds(settings, '$JSON'),
  async send(alert, to, transports) {
    requireEnabled(to, 'WEBHOOKS_ENABLED', 'Webhook')
    expectOk(await transports.http(webhookRequest(alert, to)))
  },
}

function holds(settings: ChannelSettings, placeholder: string): boolean {
  return Object.values(settings).some(text => text.includes(placeholder))
}

function fieldsOf(direction: 'down' | 'up', when: string): Field[] {
  const named = (name: string, label: string) => ({
    name: `${name}_${direction}`,
    label: `${label} when a check ${when}`,
    tab: { name: direction === 'down' ? 'Down' : 'Up', label },
    ...(direction === 'up' ? { sameAs: `${name}_down` } : {}),
  })
  return [
    {
      ...named('url', 'URL'),
      type: 'url',
      sensitive: true,
      maxLength: 1000,
      help: 'Leave empty to send nothing for this status.',
    },
    { ...named('method', 'Method'), type: 'choice', choices: ['GET', 'POST', 'PUT'], default: 'GET' },
    { ...named('body', 'Body'), type: 'multiline', maxLength: 1000, help: 'Only with POST and PUT.' },
    {
      ...named('headers', 'Headers'),
      type: 'multiline',
      sensitive: true,
      sentTo: [`url_${direction}`],
      help: 'One `Name: value` a line.',
    },
  ]
}
