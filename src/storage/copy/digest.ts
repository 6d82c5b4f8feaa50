import { createHash } from 'node:crypto'
import { page } from './page.js'
import type { Row, Side } from './side.js'

/** The content of a table: the number of its rows, and a SHA-256 of them in the order of their keys. */
export interface TableDigest {
  rows: number
  checksum: string
}

const PAGE = 5_000

/** The digest of a table, the same on both engines for the same rows. */
export async function digestOf(side: Side, table: string, key: readonly string[]): Promise<TableDigest> {
  const hash = createHash('sha256')
  let rows = 0
  let after: unknown[] | null = null
  for (;;) {
    const some: Row[] = await page(side, table, key, after, PAGE)
    if (some.length === 0) return { rows, checksum: hash.digest('hex') }
    for (const row of some) hash.update(canonical(row))
    rows += some.length
    after = key.map(column => some.at(-1)![column])
  }
}

function canonical(row: Row): string {
  const names = Object.keys(row).sort()
  return `${JSON.stringify(names.map(name => [name, plain(row[name])]))}\n`
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value
}
