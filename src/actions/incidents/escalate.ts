import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/** About how many channels of incidents one transaction looks at. Pings are recorded between transactions. */
const SLICE = 100

/** When to look again for an incident whose check another transaction is changing (ms). */
const AGAIN_MS = 200

export interface EscalateDeps {
  store: StoreWith<'incidents.nextLook' | 'incidents.escalate'>
  clock: Clock
}

/** Carries out the steps and repeats of policies that are due. Returns the next instant to look, or null. */
export async function escalate({ store, clock }: EscalateDeps): Promise<number | null> {
  let [from, lookedInRound] = [0, 0]
  for (;;) {
    const next = await store.incidents.nextLook()
    const now = clock.now()
    if (next === null || next > now) return next
    const { looked, after } = await store.incidents.escalate(now, SLICE, from)
    lookedInRound += looked
    from = after
    if (after > 0) continue
    // Every project had its turn.
    if (lookedInRound === 0) return now + AGAIN_MS
    lookedInRound = 0
  }
}
