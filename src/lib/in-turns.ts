import { appendTo } from './append-to.js'

/** `items` in turns: the first of each key, then the second of each, and so on. Keys are in the order in which they come. */
export function inTurns<T>(items: readonly T[], keyOf: (item: T) => number): T[] {
  const queues = new Map<number, T[]>()
  for (const item of items) appendTo(queues, keyOf(item), item)
  const ordered: T[] = []
  for (let round = 0; ordered.length < items.length; round++) {
    for (const queue of queues.values()) if (round < queue.length) ordered.push(queue[round]!)
  }
  return ordered
}
