import { createHash } from 'node:crypto'
import { COPIED_TABLES } from '../../../../src/storage/copy/tables.js'
import type { World } from '../../worlds/world.js'

/** What requests write although they are refused: limits of attempts, requests that are carried out. */
const LEFT_OUT = new Set(['rate_limits', 'api_requests', 'outages'])

/** A digest of each table, without when tokens and keys were used. */
export async function fingerprint({ raw }: Pick<World, 'raw'>): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const { name, key } of COPIED_TABLES) {
    if (LEFT_OUT.has(name)) continue
    const rows = await raw(`SELECT * FROM ${name} ORDER BY ${key.map(column => `"${column}"`).join(', ')}`)
    const compared = rows.map(row => JSON.stringify({ ...row, used_at: null }, shown))
    digests[name] =
      `${rows.length} ${createHash('sha256').update(compared.join('\n')).digest('hex').slice(0, 16)}`
  }
  return digests
}

function shown(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
