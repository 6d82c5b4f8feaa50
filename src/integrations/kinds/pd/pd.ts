/**
 * Opens and resolves incidents in PagerDuty. It gets no notices, because this API supports only incidents: a notice
 * would page someone and never be resolved.
 * Source: docs/behaviour.md, section 8.4; PagerDuty's Events API v1.
 */

import { matches } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { postJson } from '../../http/post-json.js'
import { DeliveryError, type Integration } from '../../integration.js'
import { beginningOf } from '../../masked.js'
import { requireEnabled } from '../../require-enabled.js'
import { enabledSwitch } from '../../switches.js'
import { otherLines, outputExcerpt } from '../../text/chat-text.js'
import { clip } from '../../text/clip.js'
import { incidentFacts, incidentNotes, summary } from '../../text/incident-text.js'
import type { HttpAnswer } from '../../transports.js'
import { placeFields } from '../webhook-chat.js'
import { pdSetup } from './pd-setup.js'

const EVENTS = 'https://events.pagerduty.com/generic/2010-04-15/create_event.json'
const DESCRIPTION_CHARACTERS = 1024

export const pd: Integration = {
  kind: 'pd',
  label: 'PagerDuty',
  category: 'on-call',
  keepsOpen: true,
  help:
    'Opens an incident in PagerDuty when a check goes down and resolves it when the check comes back up. It ' +
    'needs the integration key of a PagerDuty service.',
  guide: `
In PagerDuty, open the service to page, add an integration of the type "Events API v1" and copy its integration key.
If the operator has set \`PD_APP_ID\`, PagerDuty can pass the key to Punctual instead.

All incidents of a check share one incident key. If the check goes down again while its incident is open, that incident
is updated, and the recovery resolves it even if it was acknowledged. A test opens an incident that you must close
yourself.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M8 20V4h5a4.5 4.5 0 0 1 0 9H8"/></svg>',
  operatorSettings: [
    enabledSwitch('PD_ENABLED', 'PagerDuty'),
    {
      name: 'PD_APP_ID',
      help: 'The ID of a PagerDuty app, with which users can connect their services without copying keys.',
    },
  ],
  needs: ['PD_ENABLED'],
  setup: pdSetup,
  fields: [
    {
      name: 'service_key',
      label: 'Integration key',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 32,
      format: matches(
        /^[A-Za-z0-9]{32}$/,
        'Enter an integration key, which has 32 letters and digits; keys of the REST API have 20 and open no incidents.',
      ),
    },
    ...placeFields(['account', 'Account']),
  ],
  describe: ({ account, service_key }) => account || `Integration key ${beginningOf(service_key!)}`,
  async send(alert, to, transports) {
    requireEnabled(to, 'PD_ENABLED', 'PagerDuty')
    const facts = incidentFacts(alert, to).map(({ label, value }) => [label, value])
    const event = {
      service_key: to.settings.service_key,
      incident_key: alert.check.uniqueKey,
      event_type: alert.status === 'down' ? 'trigger' : 'resolve',
      description: clip(summary(alert), DESCRIPTION_CHARACTERS),
      client: alert.site.name,
      client_url: alert.checkUrl,
      details: {
        ...Object.fromEntries(facts),
        Notes: incidentNotes(alert, to).join(' ') || undefined,
        'Last Ping Body': outputExcerpt(alert) || undefined,
        'Other Checks': otherLines(alert).join('\n') || undefined,
      },
    }
    expectTaken(await transports.http({ ...postJson(EVENTS, event), secretBody: true }))
  },
}

/** Like `expectOk`, but an invalid key is a permanent failure. */
function expectTaken(answer: HttpAnswer): void {
  if (answer.status === 400 && /service[ _]key/i.test(answer.body)) {
    throw new DeliveryError('Received status code 400 (invalid integration key)', { permanent: true })
  }
  expectOk(answer)
}
