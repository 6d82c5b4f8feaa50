import type { Context, MiddlewareHandler } from 'hono'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress'
import { accepts } from '../../lib/http/encoded.js'
import { gzipped, isWorthCompressing } from '../compress.js'

/**
 * Compresses pages for clients that accept gzip, on another thread. Hono's own middleware copies each response to set
 * `Vary`, and compresses through web streams, which takes as long as rendering a page.
 */
export const compressPages: MiddlewareHandler = async (c, next) => {
  const bytesOf = keepingText(c)
  await next()
  const { status, headers } = c.res
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? '')
  if (!isText || headers.has('Content-Encoding')) return
  if (!/accept-encoding|\*/i.test(headers.get('Vary') ?? '')) headers.append('Vary', 'Accept-Encoding')
  if (c.req.method === 'HEAD' || !accepts(c.req.header('Accept-Encoding') ?? '', 'gzip')) return
  const body = await bytesOf(c.res)
  const isLong = isWorthCompressing(body)
  if (isLong) headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  // Otherwise Hono would copy the headers of the former response to this one.
  c.res = undefined
  c.res = new Response(isLong ? await gzipped(body) : body, { status, headers })
}

/**
 * Keeps the text of what `c.html` answers, and returns what gives the body of a response as bytes. Reading a page back from its
 * response would take as long as compressing it.
 */
function keepingText(c: Context): (response: Response) => Promise<Uint8Array<ArrayBuffer>> {
  const respond = c.html as (text: string, ...options: []) => Response
  let kept: { response: Response; text: string } | null = null
  c.html = ((page: unknown, ...options: []) => {
    const text = String(page)
    kept = { text, response: respond(text, ...options) }
    return kept.response
  }) as typeof c.html
  return async response =>
    kept?.response === response ? Buffer.from(kept.text) : new Uint8Array(await response.arrayBuffer())
}
