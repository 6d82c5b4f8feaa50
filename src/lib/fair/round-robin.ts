import { appendTo } from '../append-to.js'

/** Orders `items` round-robin by key: the first of each key, then the second of each, and so on. Keys keep their order. */
export function roundRobin<T>(items: readonly T[], keyOf: (item: T) => number): T[] {
  const queues = new Map<number, T[]>()
  for (const item of items) appendTo(queues, keyOf(item), item)
  const ordered: T[] = []
  for (let round = 0; ordered.length < items.length; round++) {
    for (const queue of queues.values()) if (round < queue.length) ordered.push(queue[round]!)
  }
  return ordered
}
