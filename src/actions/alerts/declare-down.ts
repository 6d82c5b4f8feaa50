import { setImmediate } from 'node:timers/promises'
import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'
import type { PingQueue } from '../pings/record-pings.js'

/** How many deliveries are made in one transaction, or checks without any looked at; between two, pings get their turn. */
const SLICE = 500

/** When to look again for checks that are due but that another process is just changing, or has not heard of yet. */
const AGAIN_MS = 200

export interface DeclareDownDeps {
  store: StoreWith<'alerts.declareDown' | 'alerts.nextWake'>
  /** Where this process takes pings: its name, and its pings. */
  own: { process: string; pings: Pick<PingQueue, 'settled' | 'heardUntil'> } | null
  changes: Changes
  clock: Clock
  onBug(message: string): void
}

/**
 * Declares down every check whose deadline has passed, after the pings that came in before have been written: a
 * ping that beats its deadline by a millisecond counts, and one that cannot be written holds the deadlines after it.
 * Returns the next instant to look, or null.
 */
export async function declareDown({
  store,
  own,
  changes,
  clock,
  onBug,
}: DeclareDownDeps): Promise<number | null> {
  const wake = await store.alerts.nextWake()
  // Only now: a database that hung before it answered was an outage, which an earlier instant would not know of.
  let now = clock.now()
  if (wake === null || wake > now) return wake
  if (own) await readWhatArrived()
  await own?.pings.settled()
  for (;;) {
    const heard = own && { process: own.process, heardUntil: own.pings.heardUntil(now) }
    const result = await store.alerts.declareDown(now, SLICE, heard)
    for (const error of result.errors) onBug(error)
    changes.emit('goingDown', { projects: result.unfinished })
    if (result.alerts) changes.emit('deliveries', {})
    if (result.declared > 0) changes.emit('checks', {})
    if (!result.more) break
    // What is due by now does not wait for all that was due before. Pings that are not on disk hold what is due after them.
    now = clock.now()
    if (own) await readWhatArrived()
  }
  const next = await store.alerts.nextWake()
  return next !== null && next <= now ? now + AGAIN_MS : next
}

/** Lets requests that the system has taken in already be accepted and read, each in a turn of the event loop. */
async function readWhatArrived(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}
