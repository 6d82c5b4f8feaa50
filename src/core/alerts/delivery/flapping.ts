import type { Change } from './change.js'

/**
 * A flapping check: a channel that people read is sent one notice, and further changes are held
 * until the check is stable.
 */
const HOUR_MS = 3_600_000

/** A check is flapping after this many changes within an hour. */
export const FLAPPING_CHANGES = 6

/** A flapping check is stable when it has not changed for this long. */
export const STEADY_MS = 15 * 60_000

/** When a channel was sent that a check is flapping, and the last change that was held since. */
export interface Flapping {
  reportedAt: number
  changedAt: number
}

/**
 * Whether a check is flapping at `now`. `changes`: the instants of the changes that people are sent, newest first, at
 * least the last {@link FLAPPING_CHANGES} if there are that many.
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
 * The change that was in the notice that the check is flapping, if it is among those that wait, oldest first. It waits since the notice was
 * sent, to be sent as steady if no newer one is.
 */
export function noticedAmong(changes: readonly Change[], flapping: Flapping | null): Change | null {
  const [oldest] = changes
  return oldest && oldest.createdAt === flapping?.reportedAt ? oldest : null
}

/**
 * How to treat changes from `firstAt` to `newestAt` of a check that was reported as flapping. `calm`: that flapping
 * is over. `held`: hold them until `until`. `steady`: the check is stable, so send its status.
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
