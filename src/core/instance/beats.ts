/** The beats of the processes that accept pings. See decision 0104. */

/** The newest beat of a process that accepts pings. Instants in ms. */
export interface Beat extends BeatState {
  process: string
}

/** A beat, of any process. */
export interface BeatState {
  beatAt: number
  /** Every ping that reached the process before this instant is on disk. It does not advance while pings fail. */
  heardAt: number
  /** The earlier instants of those parts of the checks whose pings it cannot record; see outage.ts. */
  behind?: Readonly<Record<string, number>>
  /** When it started, as long as it does not know whether other processes accepted pings before; see absences.ts. */
  heardFrom?: number
  /** The number of beats that it has written, which does not depend on the clock; default 0. */
  number?: number
  /** Whether the process has stopped regularly. */
  stopped: boolean
}

/** The interval of beats, and the interval if another process waits for them. */
export const BEAT_INTERVAL_MS = 5_000
export const SHORT_BEAT_INTERVAL_MS = 1_000

/** A process whose last beat is older than this (ms) no longer accepts pings. */
export const SILENT_AFTER_MS = 15_000

/** Pings that wait longer than this (ms) to be recorded count as trouble, which pages take into account. */
const LATE_MS = 1_000

/** What a beat says is out of date after so many ms if another process waits for it: the next one should have come. */
const OUT_OF_DATE_MS = SHORT_BEAT_INTERVAL_MS + LATE_MS

/**
 * The beats with `heardAt` limited: a process that does not know who accepted pings before it
 * cannot vouch for that time.
 */
function limitedBeats(beats: readonly BeatState[]): BeatState[] {
  return beats.map(beat => {
    const { heardFrom } = beat
    if (heardFrom === undefined) return beat
    const before = beats.filter(other => (other.heardFrom ?? 0) < heardFrom)
    return { ...beat, heardAt: Math.min(beat.heardAt, ...before.map(({ heardAt }) => heardAt)) }
  })
}

/** Beats as they are about the parts of the checks that `concerns` accepts, or, without it, about all checks together. */
export function beatsAbout<B extends BeatState>(
  beats: readonly B[],
  concerns: (part: string) => boolean = () => true,
): B[] {
  return beats.map(({ behind = {}, ...beat }) => {
    const instants = Object.entries(behind).flatMap(([part, at]) => (concerns(part) ? [at] : []))
    return { ...beat, heardAt: Math.min(beat.heardAt, ...instants) } as B
  })
}

/**
 * The instant (ms) before which every ping that a process accepted is on disk: `now`, or earlier. If one
 * process cannot record pings while another can, deadlines wait for it for `maxHoldMs`, but at least until it
 * is limitedBeats whether it vanished.
 */
export function heardBy(beats: readonly BeatState[], now: number, maxHoldMs: number): number {
  const heard = limitedBeats(beats).map(({ heardAt }) => Math.min(now, heardAt))
  const waitMs = Math.max(maxHoldMs, SILENT_AFTER_MS + BEAT_INTERVAL_MS)
  return heard.length === 0 ? now : Math.max(Math.min(...heard), Math.max(...heard) - waitMs)
}

/** Since when (ms) pings fail in some process, or no process accepts them, by the beats; or null. */
export function troubleSince(beats: readonly BeatState[], now: number): number | null {
  const inTrouble = limitedBeats(beats).filter(
    ({ beatAt, heardAt, stopped }) => stopped || beatAt - heardAt > LATE_MS || now - beatAt > SILENT_AFTER_MS,
  )
  return inTrouble.length === 0 ? null : Math.min(...inTrouble.map(beat => beat.heardAt))
}

/**
 * Whether it has not been known for longer than usual that pings are heard: they fail or wait in some process, or it is silent, or
 * none accepts them. `own`: the process that asks, whose beat is exact.
 */
export function isTroubled(beats: readonly Beat[], now: number, own?: string): boolean {
  const isBehind = ({ process, heardAt }: Beat) =>
    process === own ? heardAt < now : now - heardAt > OUT_OF_DATE_MS
  return beats.some(isBehind) || troubleSince(beats, now) !== null
}

/**
 * The instant (ms) from which on deadlines wait in what is shown: it is not known yet whether pings since then are on disk.
 * Null if no process accepts pings.
 */
export function unheardSince(beats: readonly BeatState[]): number | null {
  const heard = limitedBeats(beats).map(({ heardAt }) => heardAt)
  return heard.length === 0 ? null : Math.min(...heard)
}

/**
 * How far (ms) the clock was set back if the newest beat is `aheadMs` in the future. That alone is too little by the
 * time since then, so the newest `steps` that a process noticed, and that were not repaired yet, are added up.
 */
export function setBackBy(aheadMs: number, steps: readonly number[]): number {
  let byMs = 0
  for (const step of steps.toReversed()) {
    byMs += step
    if (byMs >= aheadMs) return byMs
  }
  return aheadMs
}
