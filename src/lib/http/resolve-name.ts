/**
 * The addresses of a name that a user entered, without the four threads in which the system looks names up where that
 * can be: they hash passwords as well, and a few names whose servers do not answer would hold up everybody. Decision 0103.
 */
import type { LookupAddress } from 'node:dns'
import { addressesInHosts } from './hosts-file.js'
import { queryNames } from './query-names.js'
import { searchNames } from './search-names.js'
import { SystemLookup } from './system-lookup.js'

const system = new SystemLookup()

/** The system is asked too where name servers do not know a name, or there is none of them. */
const ASKS_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * All addresses of `hostname`, IPv4 first. Rejects where there are none, nobody says so in time, or with the signal's
 * reason.
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
    // What is known by multicast only, name servers need not answer at all.
    const isLocal = !name.includes('.') || name.endsWith('.local')
    if (!isLocal && !ASKS_SYSTEM.has((error as { code?: string }).code ?? '')) throw error
    return await system.find(name, signal)
  }
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
