import type { HttpRequest } from '../transports.js'

/**
 * A request that posts a form, without undefined fields. Redirects to other origins do not get `headers`.
 */
export function postForm(
  url: string,
  fields: Readonly<Record<string, string | undefined>>,
  headers: Record<string, string> = {},
): HttpRequest {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    secretHeaders: Object.keys(headers),
    body: new URLSearchParams(given).toString(),
  }
}
