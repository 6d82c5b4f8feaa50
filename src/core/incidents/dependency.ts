/** What the checks that a check depends on make of its down alerts. Pure. Decision 0115. */
import { type CheckHold, RECHECK_MS } from '../alerts/delivery/hold.js'
import type { StoredStatus } from '../checks/check.js'
import { dueAfter, type Schedule } from '../checks/status.js'
import { type Span, within } from '../time/spans.js'

/** A check that others depend on, as far as it matters to them. */
export interface Parent {
  name: string
  status: StoredStatus
  /** Whether it has an open incident. */
  isDown: boolean
  /** Whether a deadline of it has passed that nobody has judged yet: it may be down. */
  isUnjudged: boolean
  /** When its latest incident ended (ms), if it recovered; null if that is open, ended otherwise, or there is none. */
  recoveredAt: number | null
  /** Its last ping (ms), if that was a success. */
  lastSuccessAt: number | null
}

/** A check that depends on others. */
export interface Dependant extends Schedule {
  /** When it went down (ms), the later of the flip's time and the time at which that was stored. */
  downAt: number
  dependsWaitSeconds: number
}

/** How long (ms) dependants get at most to ping, after a check that they depend on has recovered. */
export const RECOVERY_MS = 15 * 60_000

/** When a check on which others depend was down. `to`: null if it still is; `holdsOn`: whether it recovered, and is up. */
export interface Down {
  from: number
  to: number | null
  holdsOn: boolean
}

/** How soon (ms) a check is looked at again while a deadline of another is about to be judged. */
const UNJUDGED_MS = 1_000

/** On how many checks a check may depend directly. */
export const MOST_PARENTS = 10

/** How many checks, and how many silences, are named as the holds of one. */
export const MOST_HOLDERS = 10

/** Whether a check may hold those that depend on it. One that is new or paused holds nothing. */
export function mayHold({ status, isDown, isUnjudged, recoveredAt }: Parent, now: number): boolean {
  const hasRecovered = recoveredAt !== null && recoveredAt + RECOVERY_MS > now
  return isDown || (status === 'up' && (isUnjudged || hasRecovered))
}

/** Orders checks so that those come first whose holds last longest. */
export function byHold(a: Parent, b: Parent): number {
  const until = ({ isDown, recoveredAt }: Parent) => (isDown ? Number.MAX_VALUE : (recoveredAt ?? 0))
  return until(b) - until(a)
}

/**
 * The holds of a check that are active now. `holders`: those on which it depends, directly or not, that may hold it;
 * `parents`: those on which it depends directly.
 */
export function holdsOfDependant(
  check: Dependant,
  { holders, parents }: { holders: readonly Parent[]; parents: readonly Parent[] },
  now: number,
): CheckHold[] {
  const ends = holders.map(holder => ({ name: holder.name, until: holdEnd(check, holder, now) }))
  const waiting = waitsFor(check, parents, now)
  if (waiting) ends.push({ name: waiting.name, until: waitEnd(check) })
  return ends.filter(({ until }) => until > now).map(end => ({ reason: 'dependency', ...end }))
}

function holdEnd(check: Dependant, { status, isDown, isUnjudged, recoveredAt }: Parent, now: number): number {
  if (isDown) return now + RECHECK_MS
  if (status !== 'up') return now
  const judged = isUnjudged ? now + UNJUDGED_MS : now
  if (recoveredAt === null || recoveredAt + RECOVERY_MS <= now) return judged
  return Math.max(judged, recoveryEnd(check, recoveredAt))
}

/** Until when (ms) a check that recovered at `recoveredAt` (ms) holds a dependant, so that this has time to ping. */
function recoveryEnd(check: Schedule, recoveredAt: number): number {
  const next = dueAfter(check, recoveredAt) ?? Number.POSITIVE_INFINITY
  return Math.min(recoveredAt + RECOVERY_MS, next)
}

/**
 * The check whose ping a dependant that went down first waits for; null if it waits for none. As soon as one that is up
 * succeeds, the dependant went down by itself.
 */
function waitsFor(check: Dependant, parents: readonly Parent[], now: number): Parent | null {
  if (now >= waitEnd(check)) return null
  const up = parents.filter(({ status }) => status === 'up')
  const isAlone = up.some(({ lastSuccessAt }) => lastSuccessAt !== null && lastSuccessAt >= check.downAt)
  return isAlone ? null : (up[0] ?? null)
}

/** Until when (ms) a check that went down waits at most for those on which it depends. */
export function waitEnd({ downAt, dependsWaitSeconds }: Dependant): number {
  return downAt + dependsWaitSeconds * 1000
}

/**
 * When dependencies held a check up to `now`, by the rules of {@link holdsOfDependant}, not in order. `downs`: when those
 * on which it depends, directly or not, were down, in order for each of them; `wait`: set if one on which it depends
 * directly is up, with the first success of such a check since this one went down. The moment in which a deadline waits
 * to be judged is left out.
 */
export function spansOfDependant(
  check: Dependant,
  { downs, wait }: { downs: readonly (readonly Down[])[]; wait: { firstSuccessAt: number | null } | null },
  now: number,
): Span[] {
  const held = downs.flatMap(one =>
    one.map(({ from, to, holdsOn }, index) => {
      if (to === null) return { from, to: now }
      const next = one[index + 1]?.from ?? now
      return { from, to: holdsOn ? Math.min(recoveryEnd(check, to), next) : to }
    }),
  )
  if (wait) held.push({ from: check.downAt, to: Math.min(waitEnd(check), wait.firstSuccessAt ?? now) })
  return held.flatMap(span => within(span, { from: span.from, to: now }) ?? [])
}
