/**
 * What the thread that reads keeps of logs, so that a view reads only what is new. Each reader checks by what is stored whether what it
 * finds here is still true.
 */
import type { LaneRun } from '../core/checks/lanes/lane.js'
import type { LedgerRun, LoggedEvent } from '../core/pings/run-ledger.js'

/** The end of a check's log. */
export interface KeptLog {
  /** It has the stored pings with greater numbers, up to its last one. */
  after: number
  /** Oldest first. */
  pings: readonly LoggedEvent[]
}

/** What was read of a check's log for a range of time. */
export interface KeptLane {
  id: number
  /** The numbers of the pings within the range, from `from` and before `to`. */
  from: number
  to: number
  /** The number of the first ping that was looked for, some before the range. */
  first: number
  /** One more than the number of the check's last ping at that time. */
  end: number
  /** The number of stored pings from `first` and before `to`. */
  stored: number
  /** Whether every run was tracked. */
  each: boolean
  runs: PairedRuns
}

export interface PairedRuns {
  /** The runs by the pings alone. */
  paired: readonly LedgerRun[]
  /** The runs in the range if the pings tell all; absent: they were not asked for. */
  plain?: readonly LaneRun[]
}

/** The most pings, of about 100 bytes each, and runs, of about 300, that are kept. */
const MOST_PINGS = 100_000
const MOST_RUNS = 50_000

export class Kept {
  /** The ends of logs, by the ID of the check. */
  readonly pings = new Limited<number, KeptLog>(MOST_PINGS, ({ pings }) => pings.length)
  /** The runs within ranges of time, by the ID of the check and the range. */
  readonly lanes = new Limited<string, KeptLane>(MOST_RUNS, ({ runs }) => 1 + runs.paired.length)
}

/** Values of limited size together. Those that were put last stay. */
class Limited<Key, Value> {
  readonly #values = new Map<Key, Value>()
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  put(key: Key, value: Value): void {
    this.#forget(key)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most) break
      this.#forget(oldest)
    }
  }

  #forget(key: Key): void {
    const value = this.#values.get(key)
    if (value === undefined) return
    this.#size -= this.#sizeOf(value)
    this.#values.delete(key)
  }
}
