import { periodWords } from '../../core/time/duration.js'
import { clockWordsWithZone, spanWords } from '../../core/time/instant.js'
import type { OperatorNotice } from './notify-operator.js'

/** Pings cannot reach Punctual `since` an instant (ms), for a `reason`; or they reached it again, at `until`. */
export interface CanaryNews {
  since: number
  /** Null while pings are unreachable. */
  until: number | null
  /** The failure of the newest request; empty if pings are reachable again. */
  reason: string
}

/**
 * The e-mail to the operator about the ping endpoint. `holdSeconds`: the longest time that
 * alerts about silence are held.
 */
export function composeCanaryNotice(
  { since, until, reason }: CanaryNews,
  { name, endpoint, holdSeconds }: { name: string; endpoint: string; holdSeconds: number },
  now: number,
): OperatorNotice {
  if (until !== null) {
    return {
      title: `Pings reach ${name} again`,
      text: `No ping reached ${name} ${spanWords(since, until, now, 'UTC')}, and ${endpoint} did not answer. Alerts about checks that were expected to ping in that time say so.`,
    }
  }
  const hold = holdSeconds === 0 ? '' : ` Alerts about silence wait for at most ${periodWords(holdSeconds)}.`
  return {
    title: `Pings cannot reach ${name}`,
    text: `${name} requests ${endpoint} once a minute, and three requests in a row failed (${reason}). No ping of any check arrived since ${clockWordsWithZone(since, now, 'UTC')}.${hold}`,
  }
}
