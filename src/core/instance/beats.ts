/** What the processes that take pings say of themselves. See decision 0104. */

/** What a process that takes pings has last said. Instants in ms. */
export interface Beat extends BeatState {
  process: string
}

/** The same, whichever process it was. */
export interface BeatState {
  beatAt: number
  /** Every ping that reached the process before this instant is on disk. It stands still while pings fail. */
  heardAt: number
  /** When it started, while it does not know whether anyone took pings before; see absences.ts. */
  heardFrom?: number
  /** How many beats it has written: unlike their instants this does not change with the clock. 0 unless given. */
  number?: number
  /** Whether the process has ended since, in order. */
  stopped: boolean
}

/** How often a process that takes pings says so, and how often where another process waits for it. */
export const BEAT_INTERVAL_MS = 5_000
export const SHORT_BEAT_INTERVAL_MS = 1_000

/** A process whose last beat is older than this does not take pings any more. */
export const SILENT_AFTER_MS = 15_000

/** Pings that wait longer than this to be recorded are trouble, which pages take into account. */
const LATE_MS = 1_000

/** The beats as far as they count: one that does not know who took pings before it adds nothing to what those have heard. */
function known(beats: readonly BeatState[]): BeatState[] {
  return beats.map(beat => {
    const { heardFrom } = beat
    if (heardFrom === undefined) return beat
    const before = beats.filter(other => (other.heardFrom ?? 0) < heardFrom)
    return { ...beat, heardAt: Math.min(beat.heardAt, ...before.map(({ heardAt }) => heardAt)) }
  })
}

/**
 * The instant (ms) before which every ping is on disk that some process took: `now`, or earlier as the beats say. A process
 * that cannot record pings while another does is waited for `maxHoldMs`, but at least until it is known whether it vanished.
 */
export function heardBy(beats: readonly BeatState[], now: number, maxHoldMs: number): number {
  const heard = known(beats).map(({ heardAt }) => Math.min(now, heardAt))
  const waitMs = Math.max(maxHoldMs, SILENT_AFTER_MS + BEAT_INTERVAL_MS)
  return heard.length === 0 ? now : Math.max(Math.min(...heard), Math.max(...heard) - waitMs)
}

/** Since when (ms) pings are failing somewhere, or nobody takes them, as far as the beats show; or null. */
export function troubleSince(beats: readonly BeatState[], now: number): number | null {
  const inTrouble = known(beats).filter(
    ({ beatAt, heardAt, stopped }) => stopped || beatAt - heardAt > LATE_MS || now - beatAt > SILENT_AFTER_MS,
  )
  return inTrouble.length === 0 ? null : Math.min(...inTrouble.map(beat => beat.heardAt))
}

/**
 * How far the clock was set back (ms) where the newest beat lies `aheadMs` ahead. That is too short by the time since then; of
 * the `steps` that a process noticed, newest last, those count that are not put right yet.
 */
export function setBackBy(aheadMs: number, steps: readonly number[]): number {
  let byMs = 0
  for (const step of steps.toReversed()) {
    byMs += step
    if (byMs >= aheadMs) return byMs
  }
  return aheadMs
}
