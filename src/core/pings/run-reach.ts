/** How much more of the log is needed to identify the runs that begin in a part of it. */
import { REORDERED_MS } from '../checks/health/track-run.js'
import { joins, type LoggedEvent } from './run-ledger.js'

/** A part of a log: the pings with numbers from `from` and before `to`. */
export interface Part {
  from: number
  to: number
}

/**
 * The instant (ms) back to which the log is needed before `part`, to identify the pings in it that begin
 * runs: `Infinity` if `pings` is enough, `-Infinity` if everything may matter. `pings` are in order and
 * may extend beyond `part`.
 */
export function reachBack(pings: readonly LoggedEvent[], { from, to }: Part, each: boolean): number {
  const asked = new Set(pings.filter(({ n }) => n >= from && n < to).map(({ rid }) => rid))
  let reach = Number.POSITIVE_INFINITY
  for (const { n, at, action, rid } of pings) {
    if (!asked.delete(rid)) continue
    if (action !== 'start') reach = n >= from ? Number.NEGATIVE_INFINITY : reach
    else if (joins({ at, rid }, at, each)) reach = Math.min(reach, at - REORDERED_MS)
  }
  return reach
}

/**
 * The instant (ms) up to which the log is needed after `part`, to know how its runs end;
 * `-Infinity` if `pings` is enough.
 */
export function reachAhead(pings: readonly LoggedEvent[], { from, to }: Part, each: boolean): number {
  // By run ID: when the newest run of `part` ended, or null if it has not.
  const endedAt = new Map<string | null, number | null>()
  for (const { n, at, action, rid } of pings) {
    if (n < from) continue
    const ended = endedAt.get(rid)
    const isKnown = ended !== undefined
    if (action === 'start') {
      if (isKnown && ended !== null && joins({ at, rid }, ended, each)) continue
      if (n < to) endedAt.set(rid, null)
      else endedAt.delete(rid)
    } else if (n < to || ended === null) endedAt.set(rid, at)
    else endedAt.delete(rid)
  }
  let reach = Number.NEGATIVE_INFINITY
  for (const [rid, ended] of endedAt) {
    if (ended === null) return Number.POSITIVE_INFINITY
    if (joins({ at: ended, rid }, ended, each)) reach = Math.max(reach, ended + REORDERED_MS)
  }
  return reach
}
