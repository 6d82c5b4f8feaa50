/** A run in Punctual's own API. */
import type { LedgerRun } from '../pings/run-ledger.js'
import { isoSeconds } from './timestamp.js'

/** The JSON value of a run; its duration is in whole seconds. */
export function runShape({ rid, startedAt, endedAt, outcome, durationMs, exitStatus, pings }: LedgerRun) {
  return {
    run_id: rid,
    start: startedAt === null ? null : isoSeconds(startedAt),
    end: endedAt === null ? null : isoSeconds(endedAt),
    duration: durationMs === null ? null : Math.floor(durationMs / 1000),
    outcome,
    exit_status: exitStatus,
    pings,
  }
}
