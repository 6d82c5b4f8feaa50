/**
 * The addresses of a name that a user entered, without the four threads in which the system looks names up: they hash
 * passwords as well, and a few names whose servers do not answer would hold up everybody. Decision 0103.
 */
import { type LookupAddress, lookup, promises } from 'node:dns'
import { readFileSync } from 'node:fs'
import { Gate } from '../gate.js'

/** One query, and how often it is sent. */
const QUERY_MS = 2_000
const TRIES = 2

/** How long the other family of addresses is waited for once one is known. */
const OTHER_FAMILY_MS = 300

/** Names that only the system knows, such as those in its search domains, are looked up so many at a time. */
const system = new Gate(2)

/** What the system is asked after the name servers said it: they do not know the name, or there is none of them. */
const ASKS_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** All addresses of `hostname`, IPv4 first. Rejects where there are none, or nobody says so in time. */
export async function resolveName(hostname: string): Promise<LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const known = addressesInHosts(name)
  if (known.length > 0) return known
  // Source: RFC 6761, section 6.4.
  if (name === 'invalid' || name.endsWith('.invalid')) throw new Error(`${name} does not exist`)
  if (!name.includes('.') || name.endsWith('.local') || name.endsWith('.localhost')) {
    return await lookUpBySystem(name)
  }
  try {
    return await query(name)
  } catch (error) {
    if (!ASKS_SYSTEM.has((error as { code?: string }).code ?? '')) throw error
    return await lookUpBySystem(name)
  }
}

async function query(name: string): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: QUERY_MS, tries: TRIES })
  const of = async (family: 4 | 6) => {
    const addresses = family === 4 ? await resolver.resolve4(name) : await resolver.resolve6(name)
    return addresses.map(address => ({ address, family }))
  }
  const [v4, v6] = [of(4), of(6)]
  try {
    const first = await Promise.any([v4, v6])
    const found = await Promise.all([v4, v6].map(answer => within(answer, OTHER_FAMILY_MS)))
    return found.some(addresses => addresses.length > 0) ? found.flat() : first
  } catch {
    // Both failed: what was said of IPv4 counts.
    return await v4
  } finally {
    resolver.cancel()
  }
}

/** The answer, or nothing where it does not come in time. */
async function within(answer: Promise<LookupAddress[]>, ms: number): Promise<LookupAddress[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<LookupAddress[]>(resolve => (timer = setTimeout(() => resolve([]), ms)))
  return await Promise.race([answer.catch(() => []), late]).finally(() => clearTimeout(timer))
}

async function lookUpBySystem(name: string): Promise<LookupAddress[]> {
  return await system.run(
    () =>
      new Promise((resolve, reject) =>
        lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      ),
  )
}

const HOSTS = process.platform === 'win32' ? null : '/etc/hosts'
const KEPT_MS = 5_000
let hosts = { readAt: Number.NEGATIVE_INFINITY, names: new Map<string, LookupAddress[]>() }

function addressesInHosts(name: string): LookupAddress[] {
  const now = performance.now()
  if (now - hosts.readAt > KEPT_MS) hosts = { readAt: now, names: readHosts() }
  return hosts.names.get(name) ?? []
}

function readHosts(): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  if (HOSTS === null) return names
  let text = ''
  try {
    text = readFileSync(HOSTS, 'utf8')
  } catch {
    // There is none: name servers are asked.
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
