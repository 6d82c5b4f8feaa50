/** The runs of a check, read from its log. */
import { tracksEachRun } from '../../core/checks/health/rules.js'
import { factsOf, openRuns } from '../../core/checks/health/runs.js'
import { judgedRuns, type LedgerRun } from '../../core/pings/run-ledger.js'
import type { Part } from '../../core/pings/run-reach.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import type { CheckWithIds } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { overruns } from './overruns.js'
import { type ReadPings, readRuns } from './run-stretch.js'
import { readSignals } from './signals.js'

/** Some runs, newest first. `next`: what to ask for the ones before with, or null if there are none. */
export interface RunPage {
  runs: LedgerRun[]
  next: number | null
}

/** Which runs: the newest ones whose first ping has a number below `before` (null: the newest of all). */
export interface RunPageQuery {
  before: number | null
  limit: number
}

/**
 * Some runs of a check. A page has fewer than `limit` runs although there are more only where thousands of pings in a row
 * are of no run. `Refusal` as {@link findCheck}.
 */
export const listRuns = read(
  async (db: Db, projectId: number, ref: CheckRef, query: RunPageQuery): Promise<RunPage> => {
    return await runPageOf(db, await findCheck(db, projectId, ref), query)
  },
)

/** The same for a check that was found. */
export async function runPageOf(
  db: Db,
  check: CheckWithIds,
  { before, limit }: RunPageQuery,
): Promise<RunPage> {
  const log: Part = { from: firstKept(db, check), to: check.nPings + 1 }
  const stretch = await readRuns(pingsOf(db, check), {
    log,
    before: Math.max(log.from, Math.min(before ?? log.to, log.to)),
    each: tracksEachRun(check),
    limit,
  })
  const passed = await overruns(db, check, stretch)
  const runs = judgedRuns(stretch.runs, { passed, open: openRuns(factsOf(check), check) })
  return { runs: runs.reverse(), next: stretch.next }
}

/** The number of the first ping within the log's limit. */
export function firstKept(db: Db, { nPings }: CheckWithIds): number {
  return Math.max(1, nPings - db.settings.pingLogLimit + 1)
}

function pingsOf(db: Db, check: CheckWithIds): ReadPings {
  return async (part, from, count) => await readSignals(db, check, part, from, count)
}
