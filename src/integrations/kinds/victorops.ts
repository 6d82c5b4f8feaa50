/**
 * Opens and resolves incidents in Splunk On-Call, formerly VictorOps. Notices have the type INFO, which adds them only
 * to the timeline. Source: docs/behaviour.md, section 8.4; Splunk's "REST endpoint integration" guide.
 */
import { oneLine } from '../../core/text/clean-text.js'
import { addressThat } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Destination, Integration } from '../integration.js'
import { maskUrl } from '../masked.js'
import { requireEnabled } from '../require-enabled.js'
import { enabledSwitch, webhookUrl } from '../switches.js'
import { noticeWithLinks, title } from '../text/chat-text.js'
import { plainIncident } from '../text/incident-text.js'
import { cutBytes } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import type { Transports } from '../transports.js'

const MESSAGE_BYTES = 20_000

export const victorops: Integration = {
  kind: 'victorops',
  label: 'Splunk On-Call',
  category: 'on-call',
  colour: '#8a2d7d',
  keepsOpen: true,
  help:
    'Opens an incident in Splunk On-Call (formerly VictorOps) when a check goes down and resolves it when the ' +
    'check comes back up. It needs the URL of the REST endpoint with a routing key.',
  guide: `
In Splunk On-Call, open Integrations, enable "REST – Generic" and copy the URL to notify. Replace \`$routing_key\` at
its end with the routing key of the team to page.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M6 18v-5a6 6 0 0 1 12 0v5"/><path d="M4 18h16v3H4zM12 3v1M4 6l1 1M20 6l-1 1"/></svg>',
  operatorSettings: [enabledSwitch('VICTOROPS_ENABLED', 'Splunk On-Call')],
  needs: ['VICTOROPS_ENABLED'],
  fields: [
    webhookUrl('REST endpoint URL', {
      help: 'With your routing key in place of `$routing_key`.',
      format: addressThat(
        ({ hostname, href }) => hostname !== 'portal.victorops.com' && !/(\$|%24)routing_key/i.test(href),
        'Enter the REST endpoint URL with your routing key in place of $routing_key.',
      ),
    }),
  ],
  describe: ({ url }) => maskUrl(url!),
  async send(alert, to, transports) {
    await postEvent(to, transports, {
      entity_id: alert.check.uniqueKey,
      message_type: alert.status === 'down' ? 'CRITICAL' : 'RECOVERY',
      entity_display_name: title(alert),
      state_message: cutBytes(plainIncident(alert, readerZone(alert, to), MESSAGE_BYTES), MESSAGE_BYTES),
      monitoring_tool: alert.site.name,
    })
  },
  async notify(notice, to, transports) {
    await postEvent(to, transports, {
      message_type: 'INFO',
      entity_display_name: oneLine(notice.title),
      state_message: noticeWithLinks(notice),
      monitoring_tool: notice.site.name,
    })
  },
}

async function postEvent(
  to: Destination,
  transports: Transports,
  event: Record<string, string>,
): Promise<void> {
  requireEnabled(to, 'VICTOROPS_ENABLED', 'Splunk On-Call')
  expectOk(await transports.http(postJson(to.settings.url!, event)), { permanent: [404] })
}
