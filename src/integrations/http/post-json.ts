import type { HttpRequest } from '../transports.js'

/** A request that posts a value as JSON. Redirects to other origins do not get `headers`. */
export function postJson(url: string, value: unknown, headers: Record<string, string> = {}): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json', ...headers },
    secretHeaders: Object.keys(headers),
    body: JSON.stringify(value),
  }
}
