import type { Handler } from 'hono'
import { assetAt } from '../../lib/assets.js'
import { bestEncoding } from '../../lib/http/encoded.js'

/** A year, the longest customary time; the address changes with the content. */
const KEEP = 'public, max-age=31536000, immutable'

/** Responds with a file of static/, compressed if the browser accepts it. */
export const serveStatic: Handler = async (c, next) => {
  const asset = assetAt(c.req.path)
  if (!asset) return await next()
  const [encoding, body] = bestEncoding(asset, c.req.header('Accept-Encoding') ?? '')
  c.header('Cache-Control', KEEP)
  c.header('Vary', 'Accept-Encoding')
  c.header('Content-Type', asset.type)
  if (encoding) c.header('Content-Encoding', encoding)
  return c.body(body)
}
