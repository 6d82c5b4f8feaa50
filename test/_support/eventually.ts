import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a machine with a load of twenty; only a failing test waits that long. */
const WITHIN_MS = 120_000

/** Asks `question` every 10 ms until it returns something truthy, and returns that. Throws after the time limit. */
export async function eventually<T>(
  question: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  failure: () => string = () => `still not so: ${question}`,
): Promise<T> {
  for (const from = performance.now(); ; await sleep(10)) {
    const answer = await question()
    if (answer) return answer
    if (performance.now() - from > WITHIN_MS) throw new Error(failure())
  }
}
