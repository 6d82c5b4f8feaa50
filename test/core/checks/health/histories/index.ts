import { BACK_DATED } from './back-dated.js'
import { CHANGES } from './changes.js'
import { EACH_RUN } from './each-run.js'
import { EARLY_PINGS } from './early-pings.js'
import type { History } from './history.js'
import { OUTAGES_AND_CLOCKS } from './outages-and-clocks.js'
import { RUNS } from './runs.js'
import { THREADS } from './threads.js'
import { TOLERANCE } from './tolerance.js'

/** All histories, by their subject. */
export const HISTORIES: Record<string, History[]> = {
  tolerance: TOLERANCE,
  runs: RUNS,
  'each run': EACH_RUN,
  'early pings': EARLY_PINGS,
  changes: CHANGES,
  'outages and clocks': OUTAGES_AND_CLOCKS,
  threads: THREADS,
  'back-dated pings': BACK_DATED,
}
