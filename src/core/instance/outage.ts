/** Punctual's own absences: a ping that it refused or could not hear must raise no alarm. See decision 0104. */

/** A time in which pings could not be recorded. Instants in ms; `holdUntil` is when deadlines count again. */
export interface Outage {
  startedAt: number
  endedAt: number
  holdUntil: number
  /** Whether other pings were taken in that time, by this process or another; false unless given. */
  partial?: boolean
  /** For how long (ms) pings were recorded between the moments that it was joined of; 0 unless given. */
  heardMs?: number
}

/** A time (ms) in which pings came, or may have come, that are not on disk. */
export interface Missed {
  from: number
  to: number
  /** Whether other pings were taken in that time, by this process or another; false unless given. */
  partial?: boolean
  /** For how long (ms) pings were recorded in between; 0 unless given. */
  heardMs?: number
}

/** The window whose deadlines wait: those at or after `from`, as long as the clock is before `until`. */
export interface Hold {
  from: number
  until: number
}

/** However short an outage was, senders get this time to come again, unless the operator's limit is shorter. */
const LEAST_HOLD_MS = 30_000

/** Outages that lie closer together than this (ms) are joined. */
const APART_MS = 2_000
/** An outage that was joined across such gaps is no longer than this (ms): where pings were recorded in it is not known. */
const LONGEST_JOINED_MS = 60_000

/** The outage that `missed` was. The hold is as long as the outage, at least 30 s, at most `maxHoldMs`. */
export function outageOf({ from, to, partial = false, heardMs = 0 }: Missed, maxHoldMs: number): Outage {
  const endedAt = Math.max(to, from + 1)
  const holdMs = Math.min(Math.max(endedAt - from, LEAST_HOLD_MS), maxHoldMs)
  return { startedAt: from, endedAt, holdUntil: endedAt + holdMs, partial, ...(heardMs > 0 && { heardMs }) }
}

/** The instants (ms) between which outages may lie that are to be joined with this one. */
export function around({ startedAt, endedAt }: Outage): { from: number; to: number } {
  return { from: startedAt - APART_MS, to: endedAt + APART_MS }
}

/** Whether two outages are to be one: they overlap, or lie close together. */
export function belongTogether(one: Outage, other: Outage): boolean {
  if ((one.partial === true) !== (other.partial === true)) return false
  const gapMs = Math.max(one.startedAt, other.startedAt) - Math.min(one.endedAt, other.endedAt)
  if (gapMs < 0) return true
  const { startedAt, endedAt, partial } = joined([one, other])
  return gapMs < APART_MS && (partial === true || endedAt - startedAt <= LONGEST_JOINED_MS)
}

/** One outage of several that belong together. */
export function joined(outages: readonly Outage[]): Outage {
  const startedAt = Math.min(...outages.map(outage => outage.startedAt))
  const holdUntil = Math.max(...outages.map(outage => outage.holdUntil))
  const partial = outages.every(outage => outage.partial === true)
  let heardMs = 0
  let endedAt = startedAt
  for (const outage of outages.toSorted((a, b) => a.startedAt - b.startedAt)) {
    heardMs += Math.max(0, outage.startedAt - endedAt) + (outage.heardMs ?? 0)
    endedAt = Math.max(endedAt, outage.endedAt)
  }
  // All of a partial outage counts as such.
  return { startedAt, endedAt, holdUntil, partial, ...(!partial && heardMs > 0 && { heardMs }) }
}

/**
 * The hold in force at `now`. An outage that began before an earlier one's hold had ended extends it backwards, as long
 * as pings were taken for no more than `maxHoldMs` since, in between or in partial outages: while Punctual can hear, no
 * deadline waits for longer than that and the last hold. Trouble that still goes on, since `trouble`, holds every deadline since.
 */
export function holdAt(
  outages: readonly Outage[],
  now: number,
  maxHoldMs: number,
  trouble: number | null = null,
): Hold | null {
  const windows = [...outages]
  if (trouble !== null)
    windows.push({ startedAt: trouble, endedAt: now, holdUntil: now + 1_000, partial: false })
  windows.sort((a, b) => b.startedAt - a.startedAt)
  let hold: Hold | null = null
  /** How much longer a deadline may wait while pings are taken. */
  let leftMs = maxHoldMs
  for (const { startedAt, endedAt, holdUntil, partial, heardMs = 0 } of windows) {
    if (hold === null ? holdUntil <= now : holdUntil < hold.from) continue
    // The newest window ends the hold; each of the others reaches up to the beginning of the one after it.
    const next: Hold = hold ?? { from: endedAt, until: holdUntil }
    const to = Math.min(endedAt, next.from)
    const gapMs = next.from - to
    // An older one may reach further than this one.
    if (gapMs > leftMs) continue
    leftMs -= gapMs
    const heard = partial ? to - startedAt : Math.min(heardMs, to - startedAt)
    const from = heard > leftMs ? to - leftMs : startedAt
    leftMs -= Math.min(heard, leftMs)
    hold = { from: Math.min(from, next.from), until: Math.max(holdUntil, next.until) }
  }
  return hold
}

/**
 * The outage that overlaps the time from `dueAt` to `deadline`, in which a ping was still expected, so that a
 * message about its absence can say that it may have been missed; or null.
 */
export function outageWithin(outages: readonly Outage[], dueAt: number, deadline: number): Outage | null {
  return outages.find(({ startedAt, endedAt }) => startedAt < deadline && endedAt > dueAt) ?? null
}

/** Whether a passed `deadline` must wait, because Punctual itself was not there to hear the ping. */
export function isHeld(deadline: number, now: number, hold: Hold | null): boolean {
  return hold !== null && deadline >= hold.from && now < hold.until
}
