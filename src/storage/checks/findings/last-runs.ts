import { type FoundRun, foundRuns } from '../../../core/checks/findings/index.js'
import type { Db } from '../../db.js'
import { selectSignals, toEvent } from '../../pings/signals.js'
import { prepared } from '../../prepared.js'
import type { CheckWithIds } from '../rows/check-rows.js'

const MAX_RUNS = 100
/** A start and a finish of each. */
const MOST_EVENTS = 2 * MAX_RUNS
/** The log is not searched further back than this. */
const MOST_PINGS = 1_000

/** The last runs of a check, oldest first. */
export async function lastRuns(db: Db, check: CheckWithIds): Promise<FoundRun[]> {
  const after = check.nPings - Math.min(db.settings.pingLogLimit, MOST_PINGS)
  const rows = await newest.all(db, { checkId: check.id, after })
  return foundRuns(rows.reverse().map(toEvent), check).slice(-MAX_RUNS)
}

const newest = prepared((sql, value: { checkId: number; after: number }) =>
  selectSignals(sql, value.checkId).where('n', '>', value.after).orderBy('n', 'desc').limit(MOST_EVENTS),
)
