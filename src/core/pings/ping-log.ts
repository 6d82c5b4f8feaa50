/** The log of a check's pings, and the durations of its runs. */
import { timeOf } from './back-dated.js'
import type { Action } from './ping-event.js'

/** A ping in the log, without its body. `at` in ms; `atUs` (0-999) orders pings of the same millisecond. */
export interface LoggedPing {
  n: number
  at: number
  atUs: number
  /** When it was to be sent, if it arrived late; else null. */
  ranAt: number | null
  action: Action
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  rid: string | null
  hasBody: boolean
}

type Event = Pick<LoggedPing, 'n' | 'at' | 'action' | 'rid'> & Partial<Pick<LoggedPing, 'ranAt'>>

/** How much of a body the check's page shows, in bytes. */
export const OUTPUT_BYTES = 2_000

/** How much of a body the page of its ping shows, and a search looks at, in bytes. */
export const SHOWN_BYTES = 100_000

/** A start longer ago than this (ms) is not the start of a run. */
export const LONGEST_RUN_MS = 72 * 3_600_000

/**
 * The durations (ms) of the runs in `log`, by the number of the ping that ended each. A success or failure ends the
 * run of the nearest earlier start, success or failure with the same run ID, if that is a start less than 72 hours
 * before. `log` is oldest first. Source: docs/behaviour.md, section 3.4.
 */
export function durationsOf(log: readonly Event[]): Map<number, number> {
  const startedAt = new Map<string | null, number>()
  const durations = new Map<number, number>()
  for (const event of log) {
    const { n, action, rid } = event
    const at = timeOf(event)
    if (action === 'start') startedAt.set(rid, at)
    if (action !== 'success' && action !== 'fail') continue
    const start = startedAt.get(rid)
    if (start !== undefined && at - start < LONGEST_RUN_MS) durations.set(n, Math.max(0, at - start))
    startedAt.delete(rid)
  }
  return durations
}

/**
 * The run IDs whose first event in `log` is the end of a run: the start, if any, is before the beginning of the log.
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
