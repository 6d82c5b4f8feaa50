/** Reads the system's hosts file. Finds nothing on Windows, where the system resolves these names. */
import type { LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'

const HOSTS = process.platform === 'win32' ? null : '/etc/hosts'
const CACHE_MS = 5_000
let hosts = { readAt: Number.NEGATIVE_INFINITY, names: new Map<string, LookupAddress[]>() }

/** The addresses of `name`, IPv4 first. The file is cached for a few seconds. */
export function addressesInHosts(name: string): LookupAddress[] {
  const now = performance.now()
  if (now - hosts.readAt > CACHE_MS) hosts = { readAt: now, names: readHosts() }
  return hosts.names.get(name) ?? []
}

function readHosts(): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  if (HOSTS === null) return names
  let text = ''
  try {
    text = readFileSync(HOSTS, 'utf8')
  } catch {
    // Without a hosts file, only name servers are used.
  }
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === '') continue
    const family = address.includes(':') ? 6 : 4
    for (const alias of aliases) {
      const name = alias.toLowerCase()
      names.set(
        name,
        [...(names.get(name) ?? []), { address, family }].sort((a, b) => a.family - b.family),
      )
    }
  }
  return names
}
