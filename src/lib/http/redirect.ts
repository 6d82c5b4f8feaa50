import { FetchError } from './fetch-error.js'
import type { SafeAnswer, SafeRequest } from './safe-request.js'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** What says who is asking, and must not reach another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']

/**
 * The request that follows an answer, or null where the answer is the last. 303 asks again with GET, as do 301
 * and 302 after POST; the body goes with the method. Credentials stay behind at another origin; throws `FetchError`
 * where the body that would go there is secret.
 * Source: the fetch standard, "HTTP-redirect fetch".
 */
export function redirected(request: SafeRequest, answer: SafeAnswer): SafeRequest | null {
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
