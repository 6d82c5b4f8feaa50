import { Refusal } from '../../core/errors.js'
import { keptUserAgent, NO_DETAILS } from '../../core/pings/arrived-ping.js'
import type { Clock } from '../../lib/clock.js'
import { isTemporary } from './ping-refusals.js'
import type { PingQueue } from './record-pings.js'

/** The person who clicked, and how their browser connected. */
export interface Pinger {
  scheme: string
  address: string | null
  ua: string
}

export interface PingNowDeps {
  pings: Pick<PingQueue, 'record'>
  clock: Clock
  onError(error: unknown): void
}

/**
 * Records a success of a check, as a POST to its ping address would. Throws a `Refusal`: `not-found` if the check was
 * deleted, `unavailable` if no ping can be recorded now; `onError` receives the reason. Source: "Ping Now!" in
 * docs/behaviour.md, section 9.4.
 */
export async function pingNow(
  { pings, clock, onError }: PingNowDeps,
  uuid: string,
  { scheme, address, ua }: Pinger,
): Promise<void> {
  const outcome = await pings
    .record({
      target: { uuid },
      arrivedAt: clock.now(),
      arrivedUs: 0,
      action: 'success',
      ...NO_DETAILS,
      scheme,
      remoteAddr: address,
      method: 'POST',
      ua: keptUserAgent(ua),
      body: null,
    })
    .catch(error => {
      if (!isTemporary(error)) throw error
      onError(error)
      throw new Refusal('unavailable', 'pings cannot be taken at the moment')
    })
  if (outcome !== 'ok') throw new Refusal('not-found', 'there is no such check')
}
