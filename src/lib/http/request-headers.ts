import type { SafeRequest } from './safe-request.js'

/** Headers of the connection, which users may not set. */
const CONNECTION_HEADERS = new Set(
  'connection content-length expect keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

/**
 * The headers to send: those of the request except for connection headers. Adds User-Agent, Accept and, from the URL's
 * user name and password, Authorization, unless the request sets them.
 */
export function requestHeaders(request: SafeRequest, url: URL, userAgent: string): Record<string, string> {
  const given = Object.entries(request.headers ?? {}).filter(
    ([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()),
  )
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  const headers: Record<string, string> = {}
  if (!names.has('user-agent')) headers['user-agent'] = userAgent
  if (!names.has('accept')) headers.accept = '*/*'
  if (!names.has('authorization') && url.username + url.password !== '') {
    headers.authorization = `Basic ${Buffer.from(`${decode(url.username)}:${decode(url.password)}`).toString('base64')}`
  }
  return { ...headers, ...Object.fromEntries(given) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
