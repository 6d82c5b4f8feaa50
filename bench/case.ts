import type { Options } from './options.js'

/** One case: what is measured, and its target. */
export interface Case {
  name: string
  title: string
  /** The target, in words. */
  target: string
  /** Whether it needs only the API and the ping URLs of a compatible server. */
  remote: boolean
  /** Whether it concerns only one engine, or none. */
  once?: true
  /** Whether it takes so long that it is measured only if it is named. */
  long?: true
  run(options: Options): Promise<Figure[]>
}

/** One figure: the median of several runs. */
export interface Figure {
  what: string
  unit: string
  value: number
  /** The most that the same machine could do, measured in the same run. */
  limit?: number
  /** The median share that each run reached of its own limit. */
  ratio?: number
  /** What else was measured, also as medians: latencies in ms. */
  also?: Readonly<Record<string, number>>
}
