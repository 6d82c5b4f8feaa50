import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { bestEncoding, type Encoded } from '../../lib/http/encoded.js'
import type { AppConfig } from '../deps.js'
import { HTML } from '../responses.js'

interface KeptPage extends Encoded {
  tag: string
}

const kept = new WeakMap<AppConfig, Map<string, KeptPage>>()

/**
 * Responds with a page that is the same for all visitors who are not signed in. It is created and compressed at the
 * first request. There must be few names, because none is removed. A browser that has the page gets 304.
 */
export async function publicPage(
  c: Context,
  config: AppConfig,
  name: string,
  make: () => unknown,
  status: 200 | 404 = 200,
): Promise<Response> {
  const pages = kept.get(config) ?? new Map<string, KeptPage>()
  kept.set(config, pages)
  const page = pages.get(name) ?? encode(String(await make()))
  pages.set(name, page)
  const [encoding, body] = bestEncoding(page, c.req.header('Accept-Encoding') ?? '')
  c.header('Vary', 'Accept-Encoding, Cookie')
  if (status === 200) {
    const tag = `"${page.tag}${encoding ? `-${encoding}` : ''}"`
    c.header('ETag', tag)
    if (c.req.header('If-None-Match')?.includes(tag)) return c.body(null, 304)
  }
  if (encoding) c.header('Content-Encoding', encoding)
  return c.body(body, status, { 'Content-Type': HTML })
}

function encode(html: string): KeptPage {
  const plain = new Uint8Array(Buffer.from(html))
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 16)
  return { plain, gzip: new Uint8Array(gzipSync(plain)), tag }
}
