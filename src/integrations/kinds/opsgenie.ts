/**
 * Opens and closes alerts in Opsgenie. It gets no notices, because each would become an alert that is never closed.
 * Source: docs/behaviour.md, section 8.4; Opsgenie's Alert API.
 */
import type { Alert } from '../../core/alerts/alert.js'
import { tagList } from '../../core/checks/check.js'
import { matches } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Destination, Integration } from '../integration.js'
import { beginningOf } from '../masked.js'
import { requireEnabled } from '../require-enabled.js'
import { enabledSwitch } from '../switches.js'
import { clip } from '../text/clip.js'
import { incidentFacts, plainIncident, summary } from '../text/incident-text.js'
import { readerZone } from '../text/reader-zone.js'

/** Longer values are refused. Source: Opsgenie's Alert API, "Create alert". */
const MAX = { message: 130, description: 15_000, note: 15_000, source: 100, tags: 20, tag: 50, detail: 500 }

export const opsgenie: Integration = {
  kind: 'opsgenie',
  label: 'Opsgenie',
  category: 'on-call',
  colour: '#2463d9',
  keepsOpen: true,
  help:
    'Opens an alert in Opsgenie when a check goes down and closes it when the check comes back up. It needs the ' +
    'key of an API integration in Opsgenie.',
  guide: `
In Opsgenie, add an integration of the type "API" to the team to alert, and copy its key. Choose the region of your
Opsgenie account, because keys are valid only in their own region.

The alias of the alert is the check's unique key. If the check goes down again, the open alert is updated, and the
recovery closes it. The alert gets the tags of the check.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M6 16v-5a6 6 0 0 1 12 0v5l2 2H4z"/><path d="M10 21h4"/></svg>',
  operatorSettings: [enabledSwitch('OPSGENIE_ENABLED', 'Opsgenie')],
  needs: ['OPSGENIE_ENABLED'],
  fields: [
    {
      name: 'key',
      label: 'API key',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 40,
      format: matches(/^[\w-]+$/, 'Enter the API key alone: letters, digits and hyphens.'),
    },
    {
      name: 'region',
      label: 'Region',
      type: 'choice',
      choices: ['us', 'eu'],
      choiceLabels: { us: 'US', eu: 'EU' },
      default: 'us',
      help: '`eu` for accounts in the EU, else `us`.',
    },
  ],
  describe: ({ region, key }) => `Opsgenie${region === 'eu' ? ', EU' : ''}, key ${beginningOf(key!)}`,
  async send(alert, to, transports) {
    requireEnabled(to, 'OPSGENIE_ENABLED', 'Opsgenie')
    const { key, region } = to.settings
    const alerts = `https://${region === 'eu' ? 'api.eu.opsgenie.com' : 'api.opsgenie.com'}/v2/alerts`
    const closing = `${alerts}/${alert.check.uniqueKey}/close?identifierType=alias`
    const source = clip(alert.site.name, MAX.source)
    const request =
      alert.status === 'down'
        ? postJson(alerts, newAlert(alert, to, source), authorized(key))
        : postJson(
            closing,
            { source, note: plainIncident(alert, readerZone(alert, to), MAX.note) },
            authorized(key),
          )
    // The key was deleted.
    expectOk(await transports.http(request), { permanent: [401] })
  },
}

function newAlert(alert: Alert, to: Destination, source: string) {
  const tags = tagList(alert.check.tags).slice(0, MAX.tags)
  const tz = readerZone(alert, to)
  const facts = incidentFacts(alert, tz).map(({ label, value }) => [label, clip(value, MAX.detail)])
  return {
    alias: alert.check.uniqueKey,
    source,
    tags: tags.map(tag => clip(tag, MAX.tag)),
    message: clip(summary(alert, tz), MAX.message),
    description: plainIncident(alert, tz, MAX.description),
    details: Object.fromEntries(facts),
  }
}

function authorized(key: string | undefined) {
  return { Authorization: `GenieKey ${key}` }
}
