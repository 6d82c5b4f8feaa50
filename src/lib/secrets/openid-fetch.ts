/** Requests to an OpenID Connect provider, with the limits of the guarded client. The operator names it, so it may be private. */
import type { CustomFetch } from 'openid-client'
import { FetchError } from '../http/fetch-error.js'
import { anyAddress } from '../http/public-address.js'
import { createSafeFetch, KEEP_BYTES } from '../http/safe-fetch.js'
import type { SafeRequest } from '../http/safe-request.js'
import { packageVersion } from '../package-root.js'

const fetch = createSafeFetch({ permits: anyAddress, userAgent: `Punctual/${packageVersion}` })

/** Sends a request of the library. Throws `FetchError` if there is no answer, or a longer one than is read. */
export const fetchFromProvider: CustomFetch = async (url, { method, headers, body }) => {
  const {
    status,
    headers: answered,
    body: text,
  } = await fetch({
    method: method as SafeRequest['method'],
    url,
    headers,
    ...(body == null ? {} : { body: String(body) }),
    keepRedirect: true,
  })
  if (Buffer.byteLength(text) >= KEEP_BYTES) throw new FetchError('size')
  return new Response(BODILESS.includes(status) ? null : text, { status, headers: answered })
}

/** The statuses with which a `Response` takes no body. */
const BODILESS = [204, 205, 304]
