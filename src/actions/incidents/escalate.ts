import type { Clock } from '../../lib/clock.js'
import { Slices, TRANSACTION_MS } from '../../lib/slices.js'
import { type Among, nothingAside, type SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'

/** When to look again for an incident whose check another transaction is changing (ms). */
const AGAIN_MS = 200

export interface EscalateDeps {
  store: StoreWith<'incidents.nextLook' | 'incidents.escalate' | 'incidents.dueIncidents'>
  clock: Clock
  /** About how many channels of incidents a transaction looks at; kept from one call to the next. */
  slices?: Pick<Slices, 'size' | 'took'>
  /** Whether what is still due is left to the next call. */
  isEnding?: () => boolean
  /** The incidents that could not be looked at alone, for a row that cannot be written or read. */
  aside?: SetAside
}

/** Carries out the steps and repeats of policies that are due. Returns the next instant to look, or null. */
export async function escalate({
  aside = nothingAside('incident'),
  ...deps
}: EscalateDeps): Promise<number | null> {
  const { store, clock } = deps
  let next: number | null = null
  await aside.pass(
    except => store.incidents.dueIncidents(clock.now(), except),
    async among => {
      next = await lookAtDue(deps, among)
    },
  )
  return next
}

async function lookAtDue(
  { store, clock, slices = new Slices(TRANSACTION_MS.escalation), isEnding = () => false }: EscalateDeps,
  among: Among,
): Promise<number | null> {
  let [from, lookedInRound] = [0, 0]
  for (;;) {
    const next = await store.incidents.nextLook()
    const now = clock.now()
    if (next === null || next > now || isEnding()) return next
    const { size } = slices
    const { looked, after, tookMs } = await store.incidents.escalate(now, size, from, among)
    if (looked >= size) slices.took(tookMs)
    lookedInRound += looked
    from = after
    if (after > 0) continue
    // Every project had its turn.
    if (lookedInRound === 0) return now + AGAIN_MS
    lookedInRound = 0
  }
}
