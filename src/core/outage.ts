/** Punctual's own absences: what was not heard because nobody listened must raise no alarm. */

/** A time in which pings could not be recorded. Instants in ms; `holdUntil` is when deadlines count again. */
export interface Outage {
  startedAt: number
  endedAt: number
  holdUntil: number
}

/** The window whose deadlines wait: those at or after `from`, as long as the clock is before `until`. */
export interface Hold {
  from: number
  until: number
}

/** How often a process that takes pings says that it is alive. */
export const BEAT_INTERVAL_MS = 5_000

/** A silence of the beats longer than this is an outage. */
export const OUTAGE_AFTER_MS = 15_000

/**
 * The outage between two beats, or null when the gap is too short to be one. The hold that follows is as
 * long as the outage, at most `maxHoldMs`.
 */
export function outageBetween(lastBeat: number, now: number, maxHoldMs: number): Outage | null {
  const length = now - lastBeat
  if (length <= OUTAGE_AFTER_MS) return null
  return { startedAt: lastBeat, endedAt: now, holdUntil: now + Math.min(length, maxHoldMs) }
}

/**
 * The hold in force at `now`. An outage that began before an earlier one's hold had ended extends it
 * backwards. Silence of the beats that is still going on (`lastBeat` long ago, null when none is known)
 * holds every deadline since.
 */
export function holdAt(outages: readonly Outage[], now: number, lastBeat: number | null = null): Hold | null {
  const windows = outages.map(({ startedAt, holdUntil }) => ({ from: startedAt, until: holdUntil }))
  if (lastBeat !== null && now - lastBeat > OUTAGE_AFTER_MS)
    windows.push({ from: lastBeat, until: now + 1_000 })
  windows.sort((a, b) => b.from - a.from)
  let hold: Hold | null = null
  for (const window of windows) {
    if (hold === null) {
      if (window.until > now) hold = { ...window }
    } else if (window.until >= hold.from) {
      hold = { from: window.from, until: Math.max(hold.until, window.until) }
    }
  }
  return hold
}

/** The outage during which a ping was expected at `dueAt`, so that a message can say so; or null. */
export function outageCovering(outages: readonly Outage[], dueAt: number | null): Outage | null {
  if (dueAt === null) return null
  return outages.find(({ startedAt, endedAt }) => dueAt >= startedAt && dueAt < endedAt) ?? null
}
