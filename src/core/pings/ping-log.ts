/** The log of a check's pings, and how long the runs took that it shows. */
import type { Action } from './ping-event.js'

/** A ping as it stands in the log, without its body. `at` in ms, `atUs` (0-999) orders within one. */
export interface LoggedPing {
  n: number
  at: number
  atUs: number
  action: Action
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  rid: string | null
  hasBody: boolean
}

type Event = Pick<LoggedPing, 'n' | 'at' | 'action' | 'rid'>

/** The most of a body that the page of its check shows, in bytes. */
export const OUTPUT_BYTES = 2_000

/** A start further back than this no longer counts as the start of a run. */
export const LONGEST_RUN_MS = 72 * 3_600_000

/**
 * The durations (ms) of the runs that pings in `log` ended, by the ping's number. A success or failure ends the
 * run that the nearest start, success or failure of the same run id began, if that is a start less than 72 hours
 * before. `log` is in order, oldest first. Source: docs/behaviour.md, section 3.4.
 */
export function durationsOf(log: readonly Event[]): Map<number, number> {
  const startedAt = new Map<string | null, number>()
  const durations = new Map<number, number>()
  for (const { n, at, action, rid } of log) {
    if (action === 'start') startedAt.set(rid, at)
    if (action !== 'success' && action !== 'fail') continue
    const start = startedAt.get(rid)
    if (start !== undefined && at - start < LONGEST_RUN_MS) durations.set(n, Math.max(0, at - start))
    startedAt.delete(rid)
  }
  return durations
}

/**
 * The run ids whose first event in `log` ends a run: their start, if there is one, lies before the log's
 * beginning.
 */
export function openEnded(log: readonly Event[]): Set<string | null> {
  const seen = new Set<string | null>()
  const open = new Set<string | null>()
  for (const { action, rid } of log) {
    if (action === 'log' || action === 'ign' || seen.has(rid)) continue
    seen.add(rid)
    if (action !== 'start') open.add(rid)
  }
  return open
}
