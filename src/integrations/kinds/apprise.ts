/**
 * Sends messages to all services that Apprise supports, through the operator's Apprise API server.
 * Sources: docs/behaviour.md, section 8.4; Apprise API, "Stateless solution".
 */

import { matches } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import { DeliveryError, type Destination, type Integration } from '../integration.js'
import { beginningOf } from '../masked.js'
import { messageText, noticeTitle, noticeWithLinks, title } from '../text/chat-text.js'
import { readerZone } from '../text/reader-zone.js'
import type { Transports } from '../transports.js'

/** Nothing was sent: Apprise does not know the URL (204, 400), or the service refused the message (424). */
const FAILED = [204, 400, 424]

const TYPES = { up: 'success', down: 'failure' }

export const apprise: Integration = {
  kind: 'apprise',
  label: 'Apprise',
  category: 'anything',
  help:
    'Sends a message through Apprise, which speaks to more than a hundred services. You need the Apprise URL of the ' +
    'service.',
  guide: `
An Apprise URL names a service and contains its keys, such as \`tgram://token/chat\`. The Apprise wiki lists all services.

Anyone who can add an integration can make the Apprise server send requests, including to its own network. Use the
settings \`APPRISE_DENY_SERVICES\` and \`APPRISE_ALLOW_SERVICES\` of that server to limit what it can reach.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M4 10v4h4l8 5V5l-8 5z"/><path d="M19.5 9.5a4 4 0 0 1 0 5" stroke-linecap="round"/></svg>',
  fields: [
    {
      name: 'apprise_url',
      label: 'Apprise URL',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 512,
      format: matches(/^[a-z][a-z0-9+.-]*:\/\//i, 'Enter an Apprise URL, such as tgram://token/chat.'),
      help: 'Such as `tgram://token/chat`.',
    },
  ],
  operatorSettings: [
    {
      name: 'APPRISE_API_URL',
      help: 'The address of an Apprise API server, such as `http://apprise:8000`. Empty: Apprise is not available.',
    },
    {
      name: 'APPRISE_ENABLED',
      type: 'flag',
      default: 'True',
      help: 'Whether Apprise may be used if `APPRISE_API_URL` is set.',
    },
  ],
  needs: ['APPRISE_API_URL', 'APPRISE_ENABLED'],
  describe({ apprise_url }) {
    const [, service = 'unknown', rest = ''] = /^([a-z0-9]+):\/\/(.*)$/i.exec(apprise_url!) ?? []
    return `${service}://${beginningOf(rest)}`
  },
  groups: true,
  async send(alert, to, transports) {
    await post(to, transports, {
      title: title(alert),
      body: messageText(alert, readerZone(alert, to)),
      type: TYPES[alert.status],
    })
  },
  async notify(notice, to, transports) {
    await post(to, transports, {
      title: noticeTitle(notice),
      body: noticeWithLinks(notice),
      type: notice.status ? TYPES[notice.status] : 'warning',
    })
  },
}

async function post(
  { settings, operator }: Destination,
  transports: Transports,
  message: object,
): Promise<void> {
  const base = operator.APPRISE_API_URL?.replace(/\/+$/, '') ?? ''
  if (!URL.canParse(base) || operator.APPRISE_ENABLED === 'false') {
    throw new DeliveryError('Apprise is disabled and/or not installed')
  }
  const request = postJson(`${base}/notify/`, { urls: settings.apprise_url, ...message, format: 'text' })
  const answer = await transports.http({ ...request, secretBody: true, trustedOrigin: new URL(base).origin })
  if (FAILED.includes(answer.status)) throw new DeliveryError('Failed')
  expectOk(answer)
}
