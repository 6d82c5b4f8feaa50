import type { Clock } from '../../lib/clock.js'
import { Slices, TRANSACTION_MS } from '../../lib/slices.js'
import type { StoreWith } from '../../storage/store.js'

/** When to look again for an incident whose check another transaction is changing (ms). */
const AGAIN_MS = 200

export interface EscalateDeps {
  store: StoreWith<'incidents.nextLook' | 'incidents.escalate'>
  clock: Clock
  /** About how many channels of incidents a transaction looks at; kept from one call to the next. */
  slices?: Pick<Slices, 'size' | 'took'>
}

/** Carries out the steps and repeats of policies that are due. Returns the next instant to look, or null. */
export async function escalate({
  store,
  clock,
  slices = new Slices(TRANSACTION_MS.escalation),
}: EscalateDeps): Promise<number | null> {
  let [from, lookedInRound] = [0, 0]
  for (;;) {
    const next = await store.incidents.nextLook()
    const now = clock.now()
    if (next === null || next > now) return next
    const { size } = slices
    const begunAt = performance.now()
    const { looked, after } = await store.incidents.escalate(now, size, from)
    if (looked >= size) slices.took(performance.now() - begunAt)
    lookedInRound += looked
    from = after
    if (after > 0) continue
    // Every project had its turn.
    if (lookedInRound === 0) return now + AGAIN_MS
    lookedInRound = 0
  }
}
