/**
 * Resolves names that users enter, if possible without the four threads in which the system looks up names. They also
 * hash passwords, and a few names with unresponsive servers would block them all. Decision 0103.
 */
import type { LookupAddress } from 'node:dns'
import { addressesInHosts } from './hosts-file.js'
import { queryNames } from './query-names.js'
import { searchNames } from './search-names.js'
import { SystemLookup } from './system-lookup.js'

const system = new SystemLookup()

/** Error codes after which the system is asked as well: name servers do not know the name, or there are none. */
const ASKS_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * All addresses of `hostname`, IPv4 first. Rejects if there are none or they cannot be found in time, or with the
 * signal's reason.
 */
export async function resolveName(hostname: string, signal?: AbortSignal): Promise<LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const known = addressesInHosts(name)
  if (known.length > 0) return known
  // Source: RFC 6761, sections 6.3 and 6.4.
  if (name === 'invalid' || name.endsWith('.invalid')) throw new Error(`${name} does not exist`)
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK
  try {
    return await queryNames(hostname.endsWith('.') ? [name] : searchNames(name), signal)
  } catch (error) {
    signal?.throwIfAborted()
    // Name servers may not respond at all to names that exist only in multicast DNS.
    const isLocal = !name.includes('.') || name.endsWith('.local')
    if (!isLocal && !ASKS_SYSTEM.has((error as { code?: string }).code ?? '')) throw error
    return await system.find(name, signal)
  }
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
