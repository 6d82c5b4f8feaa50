/** The files that browsers load: everything in static/, named by content so that they may be kept for ever. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Encoded } from './mail/encoded.js'
import { packageRoot } from './package-root.js'

export interface Asset extends Encoded {
  type: string
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

const folder = join(packageRoot, 'static')
const addresses = new Map<string, string>()
const byAddress = new Map<string, Asset>()

/**
 * The address of a file of static/ after the site's prefix: `/static/app-1a2b3c4d5e.css` for `app.css`. Throws
 * for a file that is not there, which is a mistake in the program.
 */
export function assetPath(name: string): string {
  load()
  const address = addresses.get(name)
  if (address === undefined) throw new Error(`there is no static file ${name}`)
  return address
}

/** What lies at an address that `assetPath` gave, or undefined. */
export function assetAt(address: string): Asset | undefined {
  load()
  return byAddress.get(address)
}

function load(): void {
  if (addresses.size > 0) return
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const extension = extname(name)
    const type = TYPES[extension]
    if (type === undefined) continue
    const plain = new Uint8Array(readFileSync(join(folder, name)))
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 10)
    const slashed = name.replaceAll('\\', '/')
    const address = `/static/${slashed.slice(0, -extension.length)}-${hash}${extension}`
    addresses.set(slashed, address)
    byAddress.set(address, {
      type,
      plain,
      brotli: new Uint8Array(brotliCompressSync(plain)),
      gzip: new Uint8Array(gzipSync(plain)),
    })
  }
}
