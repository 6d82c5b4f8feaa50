import { FetchError } from './fetch-error.js'
import type { SafeAnswer, SafeRequest } from './safe-request.js'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that identify the sender, and must not reach another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']

/**
 * The request that follows a redirect, or null if `answer` is not one. A 303 changes the method to GET, as does a 301 or
 * 302 after POST, and drops the body. Credentials are not sent to another origin; throws `FetchError` if a secret body
 * would be.
 * Source: the fetch standard, "HTTP-redirect fetch".
 */
export function requestAfterRedirect(request: SafeRequest, answer: SafeAnswer): SafeRequest | null {
  const location = answer.headers.location
  if (!REDIRECTS.has(answer.status) || !location || !URL.canParse(location, request.url)) return null
  const target = new URL(location, request.url)
  const { body, ...kept } = request
  const toGet = answer.status === 303 || (answer.status <= 302 && request.method === 'POST')
  const left = new Set<string>()
  if (toGet) for (const name of ['content-type', 'content-encoding', 'content-language']) left.add(name)
  if (target.origin !== new URL(request.url).origin) {
    if (request.secretBody && body !== undefined && !toGet) throw new FetchError('secret')
    for (const name of [...CREDENTIALS, 'host', ...(request.secretHeaders ?? [])])
      left.add(name.toLowerCase())
  }
  const headers = Object.entries(request.headers ?? {}).filter(([name]) => !left.has(name.toLowerCase()))
  return {
    ...kept,
    method: toGet ? 'GET' : request.method,
    url: target.href,
    headers: Object.fromEntries(headers),
    ...(toGet || body === undefined ? {} : { body }),
  }
}
