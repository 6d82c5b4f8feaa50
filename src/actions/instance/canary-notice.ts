import { periodWords } from '../../core/time/duration.js'
import { clockWordsWithZone, spanWords } from '../../core/time/instant.js'
import type { OperatorNotice } from './notify-operator.js'

/** Pings are unreachable `since` an instant (ms), for a `reason`; or reachable again: `until` an instant. */
export interface CanaryNews {
  since: number
  /** Null while it goes on. */
  until: number | null
  /** The failure of the newest request, where pings are unreachable. */
  reason: string
}

/** What the operator is mailed about the ping endpoint. `holdSeconds`: how long alerts about silence wait at most. */
export function canaryNotice(
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
