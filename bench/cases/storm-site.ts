/** The storm that both cases of storms begin: 10,000 checks due at once, beside pings of others. */
import { load } from '../load/load.js'
import { headStartMs, type Options } from '../options.js'
import { startReceiver } from '../receiver.js'
import { openSite, type Site } from '../site.js'
import { whenDown } from '../watch-down.js'

export const CHECKS = 10_000
/** The checks that are pinged at the same time. */
const PINGED = 1_000
const PINGS_PER_SECOND = 1_000
const HEAD_START_MS = 6_000
/** How long (ms) a storm may take. */
export const WITHIN_MS = 120_000

export interface Storm {
  site: Site
  receiver: Awaited<ReturnType<typeof startReceiver>>
  /** Resolves when the pings beside it are over. */
  pingsOver: Promise<unknown>
}

/**
 * Runs a storm and waits until all checks are down and `until` resolves. Returns how long (ms) the checks took, what
 * `until` found, given the instant at which they were due, and the 99th percentile (ms) of the pings.
 */
export async function runStorm<T>(
  options: Options,
  until: (storm: Storm, due: number) => Promise<T>,
  parentOf?: (number: number) => number | null,
): Promise<T & { flipsMs: number; p99: number }> {
  const receiver = await startReceiver()
  const due = Date.now() + headStartMs(options, HEAD_START_MS)
  const site = await openSite(options, {
    checks: CHECKS + PINGED,
    deadline: number => (number < CHECKS ? due : due + 86_400_000),
    ...(parentOf && { parentOf: number => (number < CHECKS ? parentOf(number) : null) }),
    webhooks: [receiver.webhook('hook')],
  })
  try {
    const storm = { site, count: CHECKS, rate: PINGS_PER_SECOND, due }
    return await stormOn(storm, pingsOver => until({ site, receiver, pingsOver }, due))
  } finally {
    await site.stop()
    await receiver.stop()
  }
}

/** A site whose first `count` checks are due at `due` (ms UTC), while its others are pinged `rate` times a second. */
export interface DueSite {
  site: Pick<Site, 'origin' | 'checks' | 'openDatabase'>
  count: number
  rate: number
  due: number
}

/** The same on a site that is open. */
export async function stormOn<T>(
  { site, count, rate, due }: DueSite,
  until: (pingsOver: Promise<unknown>) => Promise<T>,
): Promise<T & { flipsMs: number; p99: number }> {
  if (Date.now() > due) throw new Error('the storm was due before the program had started')
  const paths = site.checks.slice(count).map(({ uuid }) => `/ping/${uuid}`)
  const seconds = Math.ceil((due - Date.now()) / 1000) + 8
  const pings = load({ origin: site.origin, paths, connections: 32, seconds, rate })
  const downAt = await whenDown(site, count, WITHIN_MS)
  const found = await until(pings)
  const { p99 } = await pings
  return { ...found, flipsMs: downAt - due, p99 }
}
