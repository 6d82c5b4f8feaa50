import type { PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Waiting } from './waiting-pings.js'

/**
 * Each of the `locked` pings on its own, by their places in `waiting`, which is resolved when the last of them is. If one of
 * them is refused, the sender sends all again.
 */
export function apart(
  waiting: Waiting,
  outcomes: readonly (PingOutcome | 'locked' | 'refused')[],
): { waiting: Waiting; place: number }[] {
  if (waiting.pings.length === 1) return [{ waiting, place: 0 }]
  const known = [...outcomes]
  return outcomes.flatMap((outcome, place) => {
    if (outcome !== 'locked') return []
    const resolve = ([later]: PingOutcome[]) => {
      known[place] = later!
      if (!known.includes('locked')) waiting.resolve(known as PingOutcome[])
    }
    const one = { pings: [waiting.pings[place]!], since: waiting.since, resolve, reject: waiting.reject }
    return [{ waiting: { ...one, ...(waiting.putOff && { putOff: waiting.putOff }) }, place }]
  })
}
