import type { MiddlewareHandler } from 'hono'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress'
import { accepts } from '../../lib/http/encoded.js'
import { gzipped, isWorthCompressing } from '../compress.js'

/**
 * Compresses pages for clients that accept gzip, on another thread. Hono's own middleware copies each response to set
 * `Vary`, and compresses through web streams, which takes as long as rendering a page.
 */
export const compressPages: MiddlewareHandler = async (c, next) => {
  await next()
  const { status, headers } = c.res
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? '')
  if (!isText || headers.has('Content-Encoding')) return
  if (!/accept-encoding|\*/i.test(headers.get('Vary') ?? '')) headers.append('Vary', 'Accept-Encoding')
  if (c.req.method === 'HEAD' || !accepts(c.req.header('Accept-Encoding') ?? '', 'gzip')) return
  const body = new Uint8Array(await c.res.arrayBuffer())
  const isLong = isWorthCompressing(body)
  if (isLong) headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  // Otherwise Hono would copy the headers of the former response to this one.
  c.res = undefined
  c.res = new Response(isLong ? await gzipped(body) : body, { status, headers })
}
