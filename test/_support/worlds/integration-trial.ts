/** An attempt of a kind under test, and what it may contain. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Alert } from '../../../src/core/alerts/alert.js'
import { DeliveryError, type Destination, type Integration } from '../../../src/integrations/integration.js'
import { createLog } from '../../../src/lib/log/log.js'
import { aDestination, type TestWaysOptions, testWays } from '../alert.js'
import { readable, secretsOf } from '../recorded-text.js'
import { type Answer, openRecorder, type RecordedRequest } from '../servers/recorder.js'
import type { IntegrationCases } from './integration-cases.js'

/** A destination of the kind under test, and transports that lead to a recorder that answers with `respond`. */
export async function openTrial(
  t: TestContext,
  cases: IntegrationCases,
  respond?: (request: RecordedRequest) => Answer | undefined,
  options: TestWaysOptions = {},
) {
  const recorder = await openRecorder(t, respond)
  const operator = cases.operator?.(recorder.url) ?? {}
  const to = aDestination(cases.integration, cases.settings(recorder.url), { operator })
  const routes = Object.fromEntries((cases.origins ?? []).map(origin => [origin, recorder.url]))
  const transports = testWays(null, { ...options, routes })
  const send = async (alert: Alert) => void (await cases.integration.send(alert, to, transports))
  return { to, transports, send, requests: recorder.requests }
}

/** Sends an alert to a recorder that answers as the service does. */
export async function sending(t: TestContext, cases: IntegrationCases, alert: Alert) {
  const opened = await openTrial(t, cases, cases.accepts)
  await opened.send(Object.freeze(alert))
  return opened
}

/** Fails unless each of `texts`, except those that the kind leaves out, was sent. */
export function holdsTexts(
  { leavesOut = [] }: IntegrationCases,
  requests: RecordedRequest[],
  texts: string[],
): void {
  const said = requests.map(readable).join('\n')
  for (const text of texts.filter(text => !leavesOut.includes(text))) {
    assert.ok(said.includes(text), `"${text}" is missing from:\n${said}`)
  }
}

/** The error with which sending failed. */
export async function failureOf(sent: Promise<void>): Promise<DeliveryError> {
  const error = await sent.then(
    () => assert.fail('was taken for a success'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DeliveryError)) throw error
  return error
}

/** Fails if a secret of the channel or the operator is in an error, or in what the log makes of it. */
export function holdsNoSecret(error: DeliveryError, integration: Integration, to: Destination): void {
  const lines: string[] = []
  const log = createLog({ format: 'json', level: 'debug', write: line => lines.push(line) })
  log.info('delivery', { kind: integration.kind, error: error.message, options: error.options })
  log.error('unexpected error', { error })
  for (const secret of secretsOf(integration, to)) {
    for (const text of [error.message, ...lines]) assert.ok(!text.includes(secret), `a secret is in: ${text}`)
  }
}
