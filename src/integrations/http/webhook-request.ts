import type { Alert } from '../../core/alerts/alert.js'
import type { Destination } from '../integration.js'
import { ALERT_PLACEHOLDERS, type AlertPlaceholder, tagPlaceholders } from '../text/alert-placeholders.js'
import { expand, type Placeholder, type Room, TRUNCATED, urlPart } from '../text/placeholders.js'
import type { HttpRequest } from '../transports.js'
import { escapeHeader, parseHeaders } from './header-lines.js'

type Scope = 'url' | 'header' | 'body'

/**
 * The maximum number of bytes of values in one request. One body of the largest size fits. Without a limit, a template of
 * 1,000 characters expands to hundreds of megabytes.
 */
export const VALUE_BYTES = 1_500_000

/**
 * The request for an alert, as configured in the channel, with at most {@link VALUE_BYTES} of values: further ones are
 * cut so that JSON stays valid. Source: docs/behaviour.md, section 8.5.
 */
export function webhookRequest(alert: Alert, { settings, idempotencyKey }: Destination): HttpRequest {
  const of = (name: string) => settings[`${name}_${alert.status}`] ?? ''
  const method = of('method') as 'GET' | 'POST' | 'PUT'
  const room = { bytes: VALUE_BYTES }
  const url = expand(of('url'), placeholders(alert, 'url'), room)
  const given = headersOf(alert, of('headers'), room)
  const names = Object.keys(given).map(name => name.toLowerCase())
  const headers: Record<string, string> = { ...given }
  if (!names.includes('idempotency-key')) headers['Idempotency-Key'] = idempotencyKey
  if (method !== 'GET' && !names.includes('content-type'))
    headers['Content-Type'] = 'text/plain; charset=utf-8'
  return {
    method,
    url,
    headers,
    // A header from the user may contain a key.
    secretHeaders: names.filter(name => name !== 'content-type' && name !== 'accept'),
    ...(method === 'GET' ? {} : { body: expand(of('body'), placeholders(alert, 'body'), room) }),
  }
}

function headersOf(alert: Alert, lines: string, room: Room): Record<string, string> {
  const values = placeholders(alert, 'header')
  const headers = parseHeaders(lines, 'headers').map(([name, value]) => [
    name,
    expand(escapeHeader(value), values, room),
  ])
  return Object.fromEntries(headers)
}

const ENCODE: Record<Scope, (text: string, isFree: boolean) => string> = {
  url: (text, isFree) => (isFree ? urlPart(text) : text),
  header: escapeHeader,
  body: text => text,
}

function placeholders(alert: Alert, scope: Scope): Placeholder[] {
  return [...ALERT_PLACEHOLDERS, ...tagPlaceholders(alert)]
    .filter(({ bodyOnly }) => scope === 'body' || !bodyOnly)
    .map(placeholder => placeholderOf(placeholder, alert, scope))
}

/** A placeholder whose value is made once, and only if it is used, because making it may take long. */
function placeholderOf({ name, value, cut, free = false }: AlertPlaceholder, alert: Alert, scope: Scope) {
  const encoded = (text: string) => ENCODE[scope](text, free)
  let made: string | undefined
  return {
    name,
    value: () => (made ??= encoded(value(alert))),
    cut: (room: number, size: number) => encoded(cut?.(alert, room, size) ?? TRUNCATED),
  }
}
