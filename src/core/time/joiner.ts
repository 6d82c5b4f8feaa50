import { addSpan } from './edges.js'

/** Returns the time that is in at least one of the times with these numbers, as in edges.ts. */
export type Joiner = (chosen: Iterable<number>) => readonly number[]

/**
 * Joins some of `times`, each as in edges.ts, again and again: their edges are sorted once, so that each choice costs one look at each edge,
 * however many are chosen.
 */
export function joinerOf(times: readonly (readonly number[])[]): Joiner {
  const spans = times.flatMap((edges, number) =>
    Array.from({ length: edges.length / 2 }, (_, i) => ({
      number,
      from: edges[2 * i]!,
      to: edges[2 * i + 1]!,
    })),
  )
  spans.sort((a, b) => a.from - b.from)
  const numbers = Int32Array.from(spans, ({ number }) => number)
  const edges = Float64Array.from(spans.flatMap(({ from, to }) => [from, to]))
  const isChosen = new Uint8Array(times.length)
  return chosen => {
    isChosen.fill(0)
    for (const number of chosen) isChosen[number] = 1
    const joined: number[] = []
    for (let i = 0; i < numbers.length; i++) {
      if (isChosen[numbers[i]!] === 1) addSpan(joined, edges[2 * i]!, edges[2 * i + 1]!)
    }
    return joined
  }
}
