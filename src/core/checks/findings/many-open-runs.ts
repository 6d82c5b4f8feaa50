import { MOST_RUNS } from '../health/runs.js'
import type { Finder } from './finding.js'

/** So many runs are open that the oldest are given up. */
export const manyOpenRuns: Finder = ({ openRuns }) =>
  openRuns < MOST_RUNS
    ? null
    : {
        code: 'many_open_runs',
        evidence: `${openRuns} runs have started and not ended; with each further one the oldest is given up.`,
      }
