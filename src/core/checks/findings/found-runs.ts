import { type LoggedEvent, runsIn } from '../../pings/run-ledger.js'
import type { Rules } from '../check.js'
import type { FoundRun } from './finding.js'

/** The runs of a check as findings read them, oldest first, by its pings alone. */
export function foundRuns(
  pings: readonly LoggedEvent[],
  { trackRuns }: Pick<Rules, 'trackRuns'>,
): FoundRun[] {
  return runsIn({ pings, passed: [], open: [], trackRuns }).map(
    ({ startedAt, endedAt, durationMs, outcome }) => ({
      startedAt,
      endedAt,
      durationMs,
      succeeded: outcome === 'success',
    }),
  )
}
