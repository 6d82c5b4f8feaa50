import type { Alert } from '../../../core/alerts/alert.js'
import { MASK } from '../../../lib/settings.js'
import { webhookRequest } from '../../http/webhook-request.js'
import type { Destination } from '../../integration.js'
import { maskUrl } from '../../masked.js'

/** The number of characters of a body that are shown. */
const SHOWN = 4_000

/** The request for an alert as text: a line with method and address, the headers, the body. Secrets are masked. */
export function previewRequest(alert: Alert, to: Destination): string {
  const { method, url, headers = {}, secretHeaders = [], body } = webhookRequest(alert, to)
  // It is made for each delivery, so it is no secret.
  const isSecret = (name: string) =>
    secretHeaders.includes(name.toLowerCase()) && name.toLowerCase() !== 'idempotency-key'
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${isSecret(name) ? MASK : value}`)
  const text = String(body ?? '')
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return [`${method} ${maskUrl(url)}`, ...lines, ...(shown === '' ? [] : ['', shown])].join('\n')
}
