/** How long senders wait for their answers. A job that waits does nothing else, so its run may take longer. Decision 0154. */
import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import { ANSWER_WITHIN_MS } from './ping-refusals.js'
import type { Waiting } from './waiting-pings.js'

/** A wait up to this long (ms) is left aside, as the network's is. */
const SHORT_MS = 500

/** The maximum number of waits that are left to record: half of the queue, so that it has room for pings. */
const MOST_LEFT = 10_000

/** The pings of a batch that is recorded now, with the long waits of their senders up to now. */
export function withWaits(batch: readonly Waiting[], now = performance.now()): ArrivedPing[] {
  const arrived: ArrivedPing[] = []
  for (const { pings, since } of batch) {
    const waitedMs = waitOf(since, now)
    for (const ping of pings)
      arrived.push(waitedMs <= SHORT_MS || ping.isRecorded ? ping : { ...ping, waitedMs })
  }
  return arrived
}

/**
 * What has to be recorded too of the pings of a batch with these outcomes, which the database was given at `startedAt`, by
 * `performance.now()`: that their senders have waited until now, because it took long.
 */
export function waitsSince(
  startedAt: number,
  batch: readonly Waiting[],
  outcomes: readonly (PingOutcome | 'refused' | 'locked')[],
): ArrivedPing[] {
  const now = performance.now()
  if (now - startedAt <= SHORT_MS) return []
  const waits: ArrivedPing[] = []
  let place = 0
  for (const { pings, since } of batch) {
    for (const ping of pings) {
      const outcome = outcomes[place++]
      if ((outcome === 'ok' || outcome === 'created') && mayLeaveRun(ping))
        waits.push(onlyWait(ping, waitOf(since, now)))
    }
  }
  return waits
}

/**
 * As {@link waitsSince}, of pings that are refused now although they may be on disk, because the answer of the database was lost. Nothing
 * changes where they are not.
 */
export function waitsInDoubt(batch: readonly Waiting[], now = performance.now()): ArrivedPing[] {
  return batch.flatMap(({ pings, since }) => {
    const waitedMs = waitOf(since, now)
    return waitedMs <= SHORT_MS ? [] : pings.filter(mayLeaveRun).map(ping => onlyWait(ping, waitedMs))
  })
}

/** The waits that are left to record when the database answers again. If there are too many, the oldest are forgotten. */
export class WaitsLeft {
  readonly #waits = new Set<ArrivedPing>()

  add(wait: ArrivedPing): void {
    this.#waits.add(wait)
    if (this.#waits.size <= MOST_LEFT) return
    const [oldest] = this.#waits
    this.#waits.delete(oldest!)
  }

  /** Removes and returns all. */
  takeAll(): ArrivedPing[] {
    const all = [...this.#waits]
    this.#waits.clear()
    return all
  }
}

/** Whether a run may be under way after a ping: its text may say so. */
function mayLeaveRun({ action, body, mail, isRecorded }: ArrivedPing): boolean {
  if (isRecorded) return false
  return action === 'start' || action === 'log' || body !== null || mail !== undefined
}

/** Nobody waits longer for an answer. */
function waitOf(since: number, now: number): number {
  return Math.min(Math.round(now - since), ANSWER_WITHIN_MS)
}

function onlyWait({ mail, ...ping }: ArrivedPing, waitedMs: number): ArrivedPing {
  const { target } = ping
  return {
    ...ping,
    // The check may have been deleted since.
    target: 'slug' in target ? { ...target, create: false } : target,
    body: null,
    waitedMs,
    isRecorded: true,
  }
}
