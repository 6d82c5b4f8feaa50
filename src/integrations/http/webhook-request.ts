import type { Alert } from '../../core/alerts/alert.js'
import type { Destination } from '../integration.js'
import { ALERT_PLACEHOLDERS, tagPlaceholders } from '../text/alert-placeholders.js'
import { expand, type Placeholder, urlPart } from '../text/placeholders.js'
import type { HttpRequest } from '../transports.js'
import { escapeHeader, parseHeaders } from './header-lines.js'

type Scope = 'url' | 'header' | 'body'

/** The request for an alert, as configured in the channel. Source: docs/behaviour.md, section 8.5. */
export function webhookRequest(alert: Alert, { settings, idempotencyKey }: Destination): HttpRequest {
  const of = (name: string) => settings[`${name}_${alert.status}`] ?? ''
  const method = of('method') as 'GET' | 'POST' | 'PUT'
  const given = headersOf(alert, of('headers'))
  const names = Object.keys(given).map(name => name.toLowerCase())
  const headers: Record<string, string> = { ...given }
  if (!names.includes('idempotency-key')) headers['Idempotency-Key'] = idempotencyKey
  if (method !== 'GET' && !names.includes('content-type'))
    headers['Content-Type'] = 'text/plain; charset=utf-8'
  return {
    method,
    url: expand(of('url'), placeholders(alert, 'url')),
    headers,
    // A header from the user may contain a key.
    secretHeaders: names.filter(name => name !== 'content-type' && name !== 'accept'),
    ...(method === 'GET' ? {} : { body: expand(of('body'), placeholders(alert, 'body')) }),
  }
}

function headersOf(alert: Alert, lines: string): Record<string, string> {
  const values = placeholders(alert, 'header')
  const headers = parseHeaders(lines, 'headers').map(([name, value]) => [
    name,
    escapeHeader(expand(value, values)),
  ])
  return Object.fromEntries(headers)
}

function placeholders(alert: Alert, scope: Scope): Placeholder[] {
  const encode = scope === 'url' ? urlPart : (text: string) => text
  return [...ALERT_PLACEHOLDERS, ...tagPlaceholders(alert)]
    .filter(({ bodyOnly }) => scope === 'body' || !bodyOnly)
    .map(({ name, value, free }): Placeholder => [name, free ? encode(value(alert)) : value(alert)])
}
