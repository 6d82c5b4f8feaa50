import type { Figure } from './case.js'
import { median, percentile } from './median.js'

/** The 99th percentile of latencies (ms), with their median and the longest: of several runs the median of each. */
export function latencyFigure(what: string, runs: readonly number[][]): Figure {
  return {
    what,
    unit: 'ms',
    value: median(runs.map(latencies => percentile(latencies, 0.99))),
    also: {
      'median ms': median(runs.map(median)),
      'max ms': median(runs.map(latencies => Math.max(...latencies))),
    },
  }
}
