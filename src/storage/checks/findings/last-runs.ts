import { type FoundRun, foundRuns } from '../../../core/checks/findings/index.js'
import type { Db } from '../../db.js'
import { readSignals } from '../../pings/signals.js'
import type { CheckWithIds } from '../rows/check-rows.js'

const MAX_RUNS = 100
/** A start and a finish of each. */
const MOST_EVENTS = 2 * MAX_RUNS
/** The log is not searched further back than this. */
const MOST_PINGS = 1_000

/** The last runs of a check, oldest first. */
export async function lastRuns(db: Db, check: CheckWithIds): Promise<FoundRun[]> {
  const to = check.nPings + 1
  const from = Math.max(1, to - Math.min(db.settings.pingLogLimit, MOST_PINGS))
  const events = await readSignals(db, check, { from, to }, 'end', MOST_EVENTS)
  return foundRuns(events, check).slice(-MAX_RUNS)
}
