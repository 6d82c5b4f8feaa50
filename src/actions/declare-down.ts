import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'
import type { PingQueue } from './record-pings.js'

/** Checks looked at in one transaction; between two, pings get their turn. */
const SLICE = 500

/** When to look again for checks that are due but that another process is just changing. */
const TAKEN_MS = 50

export interface DeclareDownDeps {
  store: Pick<Store, 'declareDown' | 'nextWake'>
  pings: Pick<PingQueue, 'settled'>
  changes: Changes
  clock: Clock
  onBug(message: string): void
}

/**
 * Declares down every check whose deadline has passed, after the pings that came in before have been written: a
 * ping that beats its deadline by a millisecond counts. Returns the next instant to look, or null.
 */
export async function declareDown(deps: DeclareDownDeps): Promise<number | null> {
  const wake = await deps.store.nextWake()
  // Only now: a database that hung before it answered was an outage, which an earlier instant would not know of.
  const now = deps.clock.now()
  if (wake === null || wake > now) return wake
  await deps.pings.settled()
  for (;;) {
    const result = await deps.store.declareDown(now, SLICE)
    for (const error of result.errors) deps.onBug(error)
    if (result.alerts) deps.changes.tell('deliveries', {})
    deps.changes.tell('checks', {})
    if (!result.more) break
  }
  const next = await deps.store.nextWake()
  return next !== null && next <= now ? now + TAKEN_MS : next
}
