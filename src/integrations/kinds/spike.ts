/**
 * Opens and resolves incidents in Spike. It gets no notices, because each would become an incident that is never resolved.
 * Source: docs/behaviour.md, section 8.4; Spike's integration for Healthchecks, which reads these fields.
 */

import { hookNotAt } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Integration } from '../integration.js'
import { maskUrl } from '../masked.js'
import { requireEnabled } from '../require-enabled.js'
import { enabledSwitch, webhookUrl } from '../switches.js'
import { title } from '../text/chat-text.js'
import { plainIncident } from '../text/incident-text.js'
import { readerZone } from '../text/reader-zone.js'

const MESSAGE_CHARACTERS = 8_000

export const spike: Integration = {
  kind: 'spike',
  label: 'Spike',
  category: 'on-call',
  colour: '#5b3df5',
  keepsOpen: true,
  help:
    'Opens an incident in Spike when a check goes down and resolves it when the check comes back up. It needs the ' +
    'webhook URL of an integration in Spike.',
  guide: `
In Spike, add the integration "Healthchecks.io" to a service and copy its webhook URL. The recovery of a check resolves
its incident, which Spike identifies by the check's unique key.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M3 19h4l5-15 5 15h4"/></svg>',
  operatorSettings: [enabledSwitch('SPIKE_ENABLED', 'Spike')],
  needs: ['SPIKE_ENABLED'],
  fields: [
    webhookUrl('Webhook URL', {
      format: hookNotAt(
        /^((app|www|docs)\.)?spike\.sh$/,
        'Enter the webhook URL of the integration, which begins with https://hooks.spike.sh/.',
      ),
    }),
  ],
  describe: ({ url }) => maskUrl(url!),
  async send(alert, to, transports) {
    requireEnabled(to, 'SPIKE_ENABLED', 'Spike')
    const event = {
      check_id: alert.check.uniqueKey,
      title: title(alert),
      message: plainIncident(alert, readerZone(alert, to), MESSAGE_CHARACTERS),
      status: alert.status,
    }
    expectOk(await transports.http(postJson(to.settings.url!, event)), { permanent: [410] })
  },
}
