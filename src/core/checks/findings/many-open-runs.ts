import { MAX_RUNS } from '../health/runs.js'
import type { Finder } from './finding.js'

/** Finds checks with so many open runs that the oldest are abandoned. */
export const manyOpenRuns: Finder = ({ openRuns }) =>
  openRuns < MAX_RUNS
    ? null
    : {
        code: 'many_open_runs',
        evidence: `${openRuns} runs have started and not ended; with each further one the oldest is given up.`,
      }
