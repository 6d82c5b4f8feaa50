import { setImmediate as turn } from 'node:timers/promises'

/** What `work` resolves to, and how many turns the event loop took meanwhile. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let isOver = false
  const count = async () => {
    for (; !isOver; turns++) await turn()
  }
  const counted = count()
  const result = await work()
  isOver = true
  await counted
  return { result, turns }
}

/** Holds up the event loop for `ms`. */
export function holdUp(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
