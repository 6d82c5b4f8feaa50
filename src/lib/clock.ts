/** Where the time comes from: milliseconds UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** An instant with a counter (0-999) that tells apart what happened in the same millisecond. */
export interface Stamp {
  ms: number
  us: number
}

/** Stamps in the order of the calls. */
export function stamps(clock: Clock): () => Stamp {
  let last: Stamp = { ms: 0, us: 0 }
  return () => {
    const ms = clock.now()
    last = ms === last.ms ? { ms, us: Math.min(last.us + 1, 999) } : { ms, us: 0 }
    return last
  }
}
