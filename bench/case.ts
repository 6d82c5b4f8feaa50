import type { Options } from './options.js'

/** One case: what is measured, and what is to be reached. */
export interface Case {
  name: string
  title: string
  /** What is to be reached, in words. */
  reach: string
  /** Whether it needs nothing but a compatible server's API and ping URLs. */
  remote: boolean
  /** Whether it is about one engine alone, or about none. */
  once?: true
  run(options: Options): Promise<Figure[]>
}

/** One figure: the median of several runs. */
export interface Figure {
  what: string
  unit: string
  value: number
  /** What the same machine could do at best, measured in the same run. */
  limit?: number
  /** The median of each run's share of its own limit. */
  ratio?: number
  /** What else was measured, medians as well: latencies in ms. */
  also?: Readonly<Record<string, number>>
}
