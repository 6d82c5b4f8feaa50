/** The files that browsers load: everything in static/. A hash in each address lets browsers cache them indefinitely. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Encoded } from './http/encoded.js'
import { packageRoot } from './package-root.js'

export interface Asset extends Encoded {
  type: string
}

/** Compressed when it is first asked for: all files together take half a second of processor time. */
class CompressedAsset implements Asset {
  #gzip: Asset['plain'] | undefined
  #brotli: Asset['plain'] | undefined

  constructor(
    readonly type: string,
    readonly plain: Asset['plain'],
  ) {}

  get gzip(): Asset['plain'] {
    this.#gzip ??= new Uint8Array(gzipSync(this.plain))
    return this.#gzip
  }

  get brotli(): Asset['plain'] {
    this.#brotli ??= new Uint8Array(brotliCompressSync(this.plain))
    return this.#brotli
  }
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.sh': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

const folder = join(packageRoot, 'static')
/** Lists the parts of the style sheet, one `@import` per line, in the order in which they apply. */
const STYLE_SHEET = 'css/app.css'

const addresses = new Map<string, string>()
const byAddress = new Map<string, Asset>()

/**
 * The address of a file in static/, without the site's prefix: `/static/css/app-1a2b3c4d5e.css` for `css/app.css`.
 * Throws if the file does not exist, which is a bug in the program.
 */
export function assetPath(name: string): string {
  load()
  const address = addresses.get(name)
  if (address === undefined) throw new Error(`there is no static file ${name}`)
  return address
}

/** The asset at an address that `assetPath` returned, or undefined. */
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
    const slashed = name.replaceAll('\\', '/')
    // The style sheet is served as one file.
    if (extension === '.css' && slashed !== STYLE_SHEET) continue
    const plain = new Uint8Array(slashed === STYLE_SHEET ? joinedStyles() : readFileSync(join(folder, name)))
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 10)
    const address = `/static/${slashed.slice(0, -extension.length)}-${hash}${extension}`
    addresses.set(slashed, address)
    byAddress.set(address, new CompressedAsset(type, plain))
  }
}

function joinedStyles(): Buffer {
  const list = readFileSync(join(folder, STYLE_SHEET), 'utf8')
  const parts = [...list.matchAll(/^@import "\.\/([\w-]+\.css)";$/gm)]
  return Buffer.from(parts.map(([, name]) => readFileSync(join(folder, 'css', name!), 'utf8')).join('\n'))
}
