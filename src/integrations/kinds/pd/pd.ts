/**
 * Opens and resolves incidents in PagerDuty. It gets no notices, because this API supports only incidents: a notice
 * would page someone and never be resolved.
 * Source: docs/behaviour.md, section 8.4; PagerDuty's Events API v2 and v1.
 */

import type { Alert } from '../../../core/alerts/alert.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { matches } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { postJson } from '../../http/post-json.js'
import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { beginningOf } from '../../masked.js'
import { requireEnabled } from '../../require-enabled.js'
import { enabledSwitch } from '../../switches.js'
import { notes } from '../../text/alert-text.js'
import { ANSWER_LABEL } from '../../text/answer-link.js'
import { label, otherLines, outputExcerpt } from '../../text/chat-text.js'
import { clip } from '../../text/clip.js'
import { incidentFacts, summary } from '../../text/incident-text.js'
import { readerZone } from '../../text/reader-zone.js'
import type { HttpAnswer, HttpRequest } from '../../transports.js'
import { placeFields } from '../webhook-chat.js'
import { pdSetup } from './pd-setup.js'

const EVENTS = 'https://events.pagerduty.com/generic/2010-04-15/create_event.json'
const ENQUEUE = 'https://events.pagerduty.com/v2/enqueue'
/** Both APIs cut or refuse longer ones. */
const SUMMARY_CHARACTERS = 1024

export const pd: Integration = {
  kind: 'pd',
  label: 'PagerDuty',
  category: 'on-call',
  colour: '#048a24',
  popular: true,
  keepsOpen: true,
  help:
    'Opens an incident in PagerDuty when a check goes down and resolves it when the check comes back up. It ' +
    'needs the integration key of a PagerDuty service.',
  guide: `
In PagerDuty, open the service to page, add an integration of the type "Events API v2" and copy its integration key.
For the key of an integration of another type, such as "Events API v1", choose that API; channels that were created before this
choice existed use it.
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
    {
      name: 'api',
      label: 'API',
      type: 'choice',
      choices: ['v2', 'v1'],
      choiceLabels: { v2: 'Events API v2', v1: 'Events API v1' },
      default: 'v2',
      help: 'The type of the integration in PagerDuty to which the key belongs.',
    },
    {
      name: 'severity',
      label: 'Severity',
      type: 'choice',
      choices: ['critical', 'error', 'warning', 'info'],
      default: 'critical',
      help: 'For Events API v2.',
    },
    ...placeFields(['account', 'Account']),
  ],
  describe: ({ account, service_key }) => account || `Integration key ${beginningOf(service_key!)}`,
  async send(alert, to, transports) {
    requireEnabled(to, 'PD_ENABLED', 'PagerDuty')
    // Channels from before this field have keys for the older API.
    const request = to.settings.api === 'v2' ? eventV2(alert, to) : eventV1(alert, to)
    expectTaken(await transports.http({ ...request, secretBody: true }))
  },
}

/** Source: PagerDuty's Events API v2, "Send an alert event". */
function eventV2(alert: Alert, to: Destination): HttpRequest {
  const event = {
    routing_key: to.settings.service_key,
    event_action: alert.status === 'down' ? 'trigger' : 'resolve',
    dedup_key: alert.check.uniqueKey,
  }
  if (alert.status === 'up') return postJson(ENQUEUE, event)
  const links = [
    { href: alert.checkUrl, text: 'View the check' },
    ...(alert.acknowledgeUrl === undefined ? [] : [{ href: alert.acknowledgeUrl, text: ANSWER_LABEL }]),
  ]
  return postJson(ENQUEUE, {
    ...event,
    client: alert.site.name,
    client_url: alert.checkUrl,
    links,
    payload: {
      summary: summaryOf(alert, to),
      source: label(alert),
      severity: to.settings.severity || 'critical',
      timestamp: new Date(alert.flip.createdAt).toISOString(),
      group: oneLine(alert.project.name) || undefined,
      class: (!alert.test && alert.flip.reason) || undefined,
      custom_details: detailsOf(alert, to),
    },
  })
}

function eventV1(alert: Alert, to: Destination): HttpRequest {
  return postJson(EVENTS, {
    service_key: to.settings.service_key,
    incident_key: alert.check.uniqueKey,
    event_type: alert.status === 'down' ? 'trigger' : 'resolve',
    description: summaryOf(alert, to),
    client: alert.site.name,
    client_url: alert.checkUrl,
    details: detailsOf(alert, to),
  })
}

function summaryOf(alert: Alert, to: Destination): string {
  return clip(summary(alert, readerZone(alert, to)), SUMMARY_CHARACTERS)
}

function detailsOf(alert: Alert, to: Destination): Record<string, string | undefined> {
  const tz = readerZone(alert, to)
  return {
    ...Object.fromEntries(incidentFacts(alert, tz).map(({ label, value }) => [label, value])),
    Notes: notes(alert, tz).join(' ') || undefined,
    'Last ping body': outputExcerpt(alert) || undefined,
    'Other checks': otherLines(alert, tz).join('\n') || undefined,
  }
}

/** Like `expectOk`, but an invalid key is a permanent failure. */
function expectTaken(answer: HttpAnswer): void {
  if (answer.status === 400 && /(service|routing)[ _]key/i.test(answer.body)) {
    throw new DeliveryError('Received status code 400 (invalid integration key)', { permanent: true })
  }
  expectOk(answer)
}
