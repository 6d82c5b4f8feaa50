import type { Clock } from '../../lib/clock.js'
import { Slices, TRANSACTION_MS } from '../../lib/slices.js'
import { type Among, nothingAside, type SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'
import type { PingQueue } from '../pings/record-pings.js'
import { settleArrived } from '../pings/settle-arrived.js'

/**
 * When to look again for a check that is due but that another process is changing, or for which
 * pings may still arrive (ms).
 */
const AGAIN_MS = 200

export interface DeclareDownDeps {
  store: StoreWith<'alerts.declareDown' | 'alerts.nextWake' | 'alerts.wokenChecks'>
  /** The name and the ping queue of this process; null if it does not accept pings. */
  own: { process: string; pings: Pick<PingQueue, 'hearing' | 'settled'> } | null
  clock: Clock
  /** What a transaction may do; kept from one call to the next. Pings are recorded between transactions. */
  slices?: Slices
  /** The checks that could not be judged alone, for a row that cannot be written or read. */
  aside?: SetAside
  /** Called when deadlines up to `heardUntil` (ms) were judged at `now`; later ones wait. */
  onJudged?(heardUntil: number, now: number): void
  onBug(message: string): void
}

/**
 * Declares down every check whose deadline has passed. Pings that arrived earlier are recorded first: a ping that
 * arrives a millisecond before the deadline counts, and a ping that cannot be recorded holds the deadlines after it.
 * Returns the next instant to look, or null.
 */
export async function declareDown(deps: DeclareDownDeps): Promise<number | null> {
  const { store, own, clock, slices = new Slices(TRANSACTION_MS.goingDown) } = deps
  const { aside = nothingAside('check') } = deps
  const wake = await store.alerts.nextWake()
  // The clock is read after the query: if the database did not answer for a while, that time was an outage.
  const begunAt = clock.now()
  if (wake === null || wake > begunAt) return wake
  if (own) await settleArrived(own.pings)
  let now = begunAt
  await aside.pass(
    except => store.alerts.wokenChecks(begunAt, except),
    async among => {
      now = await judge({ ...deps, slices }, among, begunAt)
    },
  )
  const next = await store.alerts.nextWake()
  return next !== null && next <= now ? now + AGAIN_MS : next
}

/**
 * Judges all that have woken by `now`, as many at a time as a transaction may do. The pings that arrived by then are recorded.
 * Returns the instant as of which the last ones were judged.
 */
async function judge(
  { store, own, clock, slices, onJudged, onBug }: DeclareDownDeps & { slices: Slices },
  among: Among,
  now: number,
): Promise<number> {
  let after = 0
  for (;;) {
    const heard = own && {
      process: own.process,
      heardUntil: own.pings.hearing.heardUntil(now),
      behind: own.pings.hearing.behind(),
    }
    const begunAt = performance.now()
    const result = await store.alerts.declareDown(now, slices.size, heard, after, among)
    onJudged?.(result.heardUntil, now)
    for (const error of result.errors) onBug(error)
    if (!result.more) return now
    after = result.after
    slices.took(performance.now() - begunAt)
    // Checks that became due in the meantime are included. A ping that is not on disk yet holds the deadlines after
    // it.
    now = clock.now()
    if (own) await own.pings.hearing.doors.settle()
  }
}
