/** Queries name servers through c-ares, which needs no thread. */
import { type LookupAddress, promises } from 'node:dns'

/** The time limit of a query, and how many times it is sent. */
const QUERY_MS = 2_000
const TRIES = 2
/** How long to wait for the other address family once one has answered. */
const OTHER_FAMILY_MS = 300

/** Error codes after which the next name is queried. */
const NOT_KNOWN = new Set(['ENOTFOUND', 'ENODATA'])

/** The addresses of the first of `names` that has any, IPv4 first. Rejects with the error of the last query. */
export async function queryNames(names: readonly string[], signal?: AbortSignal): Promise<LookupAddress[]> {
  let failure: unknown
  for (const name of names) {
    signal?.throwIfAborted()
    try {
      return await query(name, signal)
    } catch (error) {
      failure = error
      if (!NOT_KNOWN.has((error as { code?: string }).code ?? '')) break
    }
  }
  signal?.throwIfAborted()
  throw failure
}

async function query(name: string, signal?: AbortSignal): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: QUERY_MS, tries: TRIES })
  const cancel = () => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
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
    // Both failed: report the error for IPv4.
    return await v4
  } finally {
    signal?.removeEventListener('abort', cancel)
    resolver.cancel()
  }
}

/** The answer, or an empty list if it does not arrive in time. */
async function within(answer: Promise<LookupAddress[]>, ms: number): Promise<LookupAddress[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<LookupAddress[]>(resolve => (timer = setTimeout(() => resolve([]), ms)))
  return await Promise.race([answer.catch(() => []), late]).finally(() => clearTimeout(timer))
}
