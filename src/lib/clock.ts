/** The source of the current time, in milliseconds UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** An instant with a counter (0-999) that orders events within the same millisecond. */
export interface Stamp {
  ms: number
  us: number
}

/** Returns a function that gives each call a later stamp than the call before. */
export function createStampSource(clock: Clock): () => Stamp {
  let last: Stamp = { ms: 0, us: 0 }
  return () => {
    const ms = clock.now()
    last = ms === last.ms ? { ms, us: Math.min(last.us + 1, 999) } : { ms, us: 0 }
    return last
  }
}
