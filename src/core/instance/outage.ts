/** Outages of Punctual: a ping that it refused or could not receive must not raise an alert. See decision 0104. */

/** A time in which pings could not be recorded. Instants in ms; `holdUntil` is when deadlines count again. */
export interface Outage {
  startedAt: number
  endedAt: number
  holdUntil: number
  /** Whether other pings were recorded in that time, by any process; default false. */
  partial?: boolean
  /** How long (ms) pings were recorded between the outages that were joined in it; default 0. */
  heardMs?: number
  /** The part of the checks that it concerns, as the store names it; absent: all checks. */
  part?: string
}

/** A time (ms) in which pings arrived, or may have, that are not on disk. */
export interface Missed {
  from: number
  to: number
  /** Whether other pings were recorded in that time, by any process; default false. */
  partial?: boolean
  /** How long (ms) pings were recorded in between; default 0. */
  heardMs?: number
  /** The part of the checks whose pings these are, as the store names it; absent: all checks. */
  part?: string
  /** The ID of the project that has the part, where that is known: a single check, or all checks of the project. */
  projectId?: number
}

/** The deadlines that wait: those at or after `from`, as long as it is before `until`. */
export interface Hold {
  from: number
  until: number
}

/** However short an outage was, senders get this long (ms) to retry, unless the operator's limit is shorter. */
const LEAST_HOLD_MS = 30_000

/** Outages with a shorter gap than this (ms) are joined. */
const APART_MS = 2_000
/** The longest outage (ms) joined across such gaps, because it is not known when pings were recorded in it. */
const LONGEST_JOINED_MS = 60_000

/** The outage of a missed time. The hold is as long as the outage, at least 30 s, at most `maxHoldMs`. */
export function outageOf(
  { from, to, partial = false, heardMs = 0, part }: Missed,
  maxHoldMs: number,
): Outage {
  const endedAt = Math.max(to, from + 1)
  const holdMs = Math.min(Math.max(endedAt - from, LEAST_HOLD_MS), maxHoldMs)
  const outage = { startedAt: from, endedAt, holdUntil: endedAt + holdMs, partial }
  return { ...outage, ...(heardMs > 0 && { heardMs }), ...(part !== undefined && { part }) }
}

/** The instants (ms) between which other outages may be joined with this one. */
export function around({ startedAt, endedAt }: Outage): { from: number; to: number } {
  return { from: startedAt - APART_MS, to: endedAt + APART_MS }
}

/** Whether two outages are joined: they concern the same checks, and overlap, or the gap is short. */
export function belongTogether(one: Outage, other: Outage): boolean {
  if (one.part !== other.part) return false
  if ((one.partial === true) !== (other.partial === true)) return false
  const gapMs = Math.max(one.startedAt, other.startedAt) - Math.min(one.endedAt, other.endedAt)
  if (gapMs < 0) return true
  const { startedAt, endedAt, partial } = joined([one, other])
  return gapMs < APART_MS && (partial === true || endedAt - startedAt <= LONGEST_JOINED_MS)
}

/** Joins outages that belong together; at least one. */
export function joined(outages: readonly Outage[]): Outage {
  const startedAt = Math.min(...outages.map(outage => outage.startedAt))
  const holdUntil = Math.max(...outages.map(outage => outage.holdUntil))
  const partial = outages.every(outage => outage.partial === true)
  const part = outages[0]!.part
  let heardMs = 0
  let endedAt = startedAt
  for (const outage of outages.toSorted((a, b) => a.startedAt - b.startedAt)) {
    heardMs += Math.max(0, outage.startedAt - endedAt) + (outage.heardMs ?? 0)
    endedAt = Math.max(endedAt, outage.endedAt)
  }
  // In a partial outage, pings were recorded all the time.
  const heard = !partial && heardMs > 0 && { heardMs }
  return { startedAt, endedAt, holdUntil, partial, ...heard, ...(part !== undefined && { part }) }
}

/**
 * The hold at `now`. An outage that began before an earlier hold had ended extends that hold backwards, as long
 * as pings were accepted for no more than `maxHoldMs` since, between outages or in partial ones: while Punctual
 * can record pings, no deadline waits longer than that and one hold. No outage shortens the hold of another.
 */
export function holdAt(outages: readonly Outage[], now: number, maxHoldMs: number): Hold | null {
  return ofAll(holdsAt(outages, now, maxHoldMs))
}

/** The holds of which that at `now` consists: of each outage whose hold lasts, with those before it. */
export function holdsAt(outages: readonly Outage[], now: number, maxHoldMs: number): Hold[] {
  // By their ends, so that the result does not depend on whether the hold of an outage within another has ended.
  const windows = outages.toSorted((a, b) => b.endedAt - a.endedAt)
  return windows.flatMap(({ holdUntil }, index) => {
    if (holdUntil <= now) return []
    const { from } = holdEndedBy(windows.slice(index), maxHoldMs)
    return [{ from, until: holdUntil }]
  })
}

/** The deadlines that wait by any of these holds; null if there are none. */
export function ofAll(holds: readonly Hold[]): Hold | null {
  return holds.reduce<Hold | null>(
    (all, { from, until }) =>
      all ? { from: Math.min(all.from, from), until: Math.max(all.until, until) } : { from, until },
    null,
  )
}

/** Until when (ms) a deadline waits by these holds: that of an outage too late for it to count ends later. Null: it does not wait. */
export function heldUntil(holds: readonly Hold[], deadline: number): number | null {
  const own = holds.filter(({ from }) => from <= deadline)
  return ofAll(own)?.until ?? null
}

/** The hold that the first of these outages ends, which are in the order of their ends, the newest first; at least one. */
function holdEndedBy([newest, ...older]: readonly Outage[], maxHoldMs: number): Hold {
  const deaf = [newest!, ...older].filter(({ partial }) => !partial)
  /** How much longer (ms) a deadline may wait while pings are recorded. */
  let leftMs = maxHoldMs
  let hold: Hold = { from: newest!.endedAt, until: newest!.holdUntil }
  for (const { startedAt, endedAt, holdUntil } of [newest!, ...older]) {
    if (holdUntil < hold.from) continue
    // Each reaches up to the beginning of the next.
    const to = Math.min(endedAt, hold.from)
    const gapMs = hold.from - to
    // An older outage may reach further.
    if (gapMs > leftMs) continue
    leftMs -= gapMs
    const reached = reach(startedAt, to, leftMs, deaf)
    leftMs = reached.leftMs
    hold = { from: Math.min(reached.from, hold.from), until: Math.max(holdUntil, hold.until) }
  }
  return hold
}

/**
 * How far back from `to` an outage since `startedAt` reaches if pings were recorded in it for at most `leftMs`, and how much of
 * that is left then. In `deaf`, the outages of all processes, the newest first, none were but for their `heardMs`.
 */
function reach(
  startedAt: number,
  to: number,
  leftMs: number,
  deaf: readonly Outage[],
): { from: number; leftMs: number } {
  if (startedAt >= to) return { from: to, leftMs }
  let from = to
  let left = leftMs
  const goBackTo = (at: number, heardMs: number) => {
    if (heardMs > left) return false
    left -= heardMs
    from = at
    return true
  }
  for (const { startedAt: since, endedAt, heardMs = 0 } of deaf) {
    const until = Math.max(Math.min(endedAt, from), startedAt)
    if (since >= from) continue
    if (endedAt <= startedAt || !goBackTo(until, from - until)) break
    const begin = Math.max(since, startedAt)
    if (!goBackTo(begin, Math.min(heardMs, until - begin))) break
  }
  const rest = Math.min(from - startedAt, left)
  return { from: from - rest, leftMs: left - rest }
}

/**
 * The outage that overlaps the time from `dueAt` to `deadline`, so that a message can say that the expected ping may
 * have been missed; or null.
 */
export function outageWithin(outages: readonly Outage[], dueAt: number, deadline: number): Outage | null {
  return outages.find(({ startedAt, endedAt }) => startedAt < deadline && endedAt > dueAt) ?? null
}

/** Whether a passed `deadline` has to wait because Punctual could not receive the ping. */
export function isHeld(deadline: number, now: number, hold: Hold | null): boolean {
  return hold !== null && deadline >= hold.from && now < hold.until
}

/**
 * When (ms) the last hold ended for which a `deadline` waited, of those that ended after `since` and at `until` at the latest; null: none
 * did. Of outages that were still going on then, or joined with later ones since, the holds are not known any more.
 */
export function heldUpTo(
  outages: readonly Outage[],
  deadline: number,
  { since, until }: { since: number; until: number },
  maxHoldMs: number,
): number | null {
  const after = Math.max(since, deadline)
  const concerned = outages.filter(({ holdUntil }) => holdUntil > deadline)
  const ends = new Set(concerned.map(({ holdUntil }) => holdUntil).filter(end => end > after && end <= until))
  for (const end of [...ends].sort((a, b) => b - a)) {
    const known = concerned.filter(({ endedAt }) => endedAt < end)
    if (isHeld(deadline, end - 1, holdAt(known, end - 1, maxHoldMs))) return end
  }
  return null
}

/** The latest instant (ms) whose deadlines have passed by `now` and do not wait. */
export function passedUntil(now: number, hold: Hold | null): number {
  return hold !== null && now < hold.until ? Math.min(now, hold.from - 1) : now
}
