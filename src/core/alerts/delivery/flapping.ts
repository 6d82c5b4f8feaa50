/** A check that keeps changing is announced once to a channel that people read, and then held until it is steady. */
const HOUR_MS = 3_600_000

/** So many changes within an hour are flapping. */
export const FLAPPING_CHANGES = 6

/** A check that flapped is reported again when it has not changed for so long. */
export const STEADY_MS = 15 * 60_000

/** What a channel learned of a check that flapped: when, and the last change that was held back since. */
export interface Flapping {
  reportedAt: number
  changedAt: number
}

/**
 * Whether a check flaps at `now`. `changes` are the instants of the changes that people hear of, newest first, at
 * least the last {@link FLAPPING_CHANGES} where there are as many.
 */
export function isFlapping(changes: readonly number[], now: number): boolean {
  const newest = changes[0]
  const oldest = changes[FLAPPING_CHANGES - 1]
  if (newest === undefined || oldest === undefined) return false
  return newest - oldest <= HOUR_MS && now - newest < STEADY_MS
}

/** How many of `changes`, newest first, lie within the hour that ends with the newest. */
export function changesWithinAnHour(changes: readonly number[]): number {
  return changes.filter(at => changes[0]! - at <= HOUR_MS).length
}

/**
 * What becomes of changes from `firstAt` to `newestAt` of a check that the channel was sent is flapping. `calm`: that
 * was another time. `held`: not before `until`. `steady`: the channel is to hear how it is.
 */
export function afterFlapping(
  flapping: Flapping | null,
  firstAt: number,
  newestAt: number,
  now: number,
): { state: 'calm' } | { state: 'held'; until: number } | { state: 'steady' } {
  if (flapping === null || firstAt - flapping.changedAt >= STEADY_MS) return { state: 'calm' }
  const until = Math.max(firstAt, newestAt) + STEADY_MS
  return now < until ? { state: 'held', until } : { state: 'steady' }
}
