import { setImmediate } from 'node:timers/promises'

/** How long (ms) a computation may hold up the event loop: pings and alerts wait for it. */
const TURN_MS = 10
/** The same for the beginning, so that a short computation need not wait for its turn. */
const BEGINNING_MS = 1

/**
 * The result of a computation that yields between its steps, each of which takes much less than `turnMs`. It runs for `turnMs` at a time, and
 * so does only one computation in each turn of the event loop, however many there are.
 */
export async function inTurns<T>(steps: Iterator<unknown, T>, turnMs = TURN_MS): Promise<T> {
  for (let most = BEGINNING_MS; ; most = turnMs) {
    const since = performance.now()
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() - since < most)
    await nextTurn()
  }
}

/** Resolves in the first turn of the event loop that nobody else waits for. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

let lastTurn: Promise<void> = Promise.resolve()

/** The list of what `make` returns for each item; each is a step. */
export function* mapped<A, B>(items: Iterable<A>, make: (item: A) => B): Generator<void, B[]> {
  const made: B[] = []
  for (const item of items) {
    made.push(make(item))
    yield
  }
  return made
}
