/** The runs of a check for a page, with the occurrences missed between them. */
import type { LedgerRun } from './run-ledger.js'

/** A missed occurrence. Instants in ms. */
export interface MissedOccurrence {
  dueAt: number
  /** When the time for it ended. */
  at: number
}

export type RunEntry<P> =
  | { type: 'run'; run: LedgerRun; pings: P[] }
  | ({ type: 'missed' } & MissedOccurrence)

/** The time of a run in the list (ms): when it began, by its first ping. */
export function placeOf({ startedAt, endedAt }: LedgerRun): number {
  return startedAt ?? endedAt ?? 0
}

/** Merges both into one list, newest first. */
export function withMissed<P>(
  runs: readonly { run: LedgerRun; pings: P[] }[],
  missed: readonly MissedOccurrence[],
): RunEntry<P>[] {
  const left = missed.toSorted((a, b) => a.at - b.at)
  const entries: RunEntry<P>[] = []
  for (const { run, pings } of runs) {
    while (left.length > 0 && left.at(-1)!.at > placeOf(run)) entries.push({ type: 'missed', ...left.pop()! })
    entries.push({ type: 'run', run, pings })
  }
  while (left.length > 0) entries.push({ type: 'missed', ...left.pop()! })
  return entries
}

/**
 * The run in which a `log` ping was sent: the newest of its run ID that had begun and not ended;
 * undefined outside of runs.
 */
export function runOfLog(
  runs: readonly LedgerRun[],
  { n, rid }: { n: number; rid: string | null },
): LedgerRun | undefined {
  return runs.find(run => {
    const isGoingOn = run.outcome === 'open' || n < run.pings.at(-1)!
    return run.rid === rid && run.startedAt !== null && run.pings[0]! < n && isGoingOn
  })
}
