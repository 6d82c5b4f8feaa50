/**
 * Opens and resolves alerts in PagerTree. It gets no notices, because each would become an alert that is never resolved.
 * Source: docs/behaviour.md, section 8.4; PagerTree's integration for Healthchecks, which reads these fields.
 */
import { tagList } from '../../core/checks/check.js'
import { hookNotAt } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Integration } from '../integration.js'
import { maskUrl } from '../masked.js'
import { requireEnabled } from '../require-enabled.js'
import { enabledSwitch, webhookUrl } from '../switches.js'
import { plainIncident, summary } from '../text/incident-text.js'
import { readerZone } from '../text/reader-zone.js'

const DESCRIPTION_CHARACTERS = 8_000

export const pagertree: Integration = {
  kind: 'pagertree',
  label: 'PagerTree',
  category: 'on-call',
  colour: '#2c6e3f',
  keepsOpen: true,
  help:
    'Opens an alert in PagerTree when a check goes down and resolves it when the check comes back up. It needs ' +
    'the endpoint URL of an integration in PagerTree.',
  guide: `
In PagerTree, create an integration of the type "Healthchecks" and copy its endpoint URL. The key of the alert is the
check's unique key. If the check goes down again, the open alert is updated, and the recovery resolves it.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M12 3 5 13h14z"/><path d="M12 13v8"/></svg>',
  operatorSettings: [enabledSwitch('PAGERTREE_ENABLED', 'PagerTree')],
  needs: ['PAGERTREE_ENABLED'],
  fields: [
    webhookUrl('Endpoint URL', {
      format: hookNotAt(
        /^((app|www)\.)?pagertree\.com$/,
        'Enter the endpoint URL of the integration, which begins with https://api.pagertree.com/.',
      ),
    }),
  ],
  describe: ({ url }) => maskUrl(url!),
  async send(alert, to, transports) {
    requireEnabled(to, 'PAGERTREE_ENABLED', 'PagerTree')
    const event = {
      incident_key: alert.check.uniqueKey,
      event_type: alert.status === 'down' ? 'trigger' : 'resolve',
      title: summary(alert, readerZone(alert, to)),
      description: plainIncident(alert, readerZone(alert, to), DESCRIPTION_CHARACTERS),
      client: alert.site.name,
      client_url: alert.checkUrl,
      tags: tagList(alert.check.tags).join(' '),
    }
    expectOk(await transports.http(postJson(to.settings.url!, event)), { permanent: [410] })
  },
}
