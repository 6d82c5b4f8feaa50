/** T5 of the plan alone: each delivery that was due has one fate, with a reason. */
import { type Change, isHold } from '../../../src/core/alerts/delivery/change.js'
import { holdWords, RECHECK_MS } from '../../../src/core/alerts/delivery/hold.js'
import type { Plan, WaitingCheck } from '../../../src/core/alerts/delivery/plan-values.js'

/** What is wrong with a plan of at most `most` messages, in words. */
export function unexplainedIn(
  checks: readonly WaitingCheck[],
  plan: Plan,
  { most, usable, now }: { most: number; usable: boolean; now: number },
): string[] {
  return checks.flatMap(check =>
    check.changes.flatMap(change => {
      const problem = problemOf(change, check, plan, { most, usable, now })
      return problem === null ? [] : [`${change.status} of check ${check.checkId} ${problem}`]
    }),
  )
}

function problemOf(
  change: Change,
  { holds, isAcknowledged, isTarget }: WaitingCheck,
  plan: Plan,
  { most, usable, now }: { most: number; usable: boolean; now: number },
): string | null {
  const is = (one: { id: number }) => one.id === change.id
  const sent = plan.messages.filter(({ parts }) => parts.some(part => is(part.change)))
  const held = plan.holds.filter(is)
  const dropped = plan.drops.filter(is)
  const parked = plan.parked.filter(id => id === change.id)
  const fates = sent.length + held.length + dropped.length + parked.length
  // The rest stays due.
  if (fates === 0 && plan.messages.length === most) return null
  if (fates !== 1) return `has ${fates} fates`
  if (parked.length > 0) return usable && isTarget ? 'is parked, though the channel can be used' : null
  for (const { reason, by, until, due } of held) {
    if (until <= now || until > now + LONGEST_MS) return `is held until ${until}, by ${reason}`
    if (reason !== 'silence' && reason !== 'dependency') {
      if (holds.length > 0 && due?.reports === 'down')
        return `is held by ${reason}, though ${holdWords(holds)}`
    } else if (!by || by.length === 0 || holdWords(by) !== holdWords(holds) || by[0]!.reason !== reason) {
      return `is held by ${holdWords(by ?? [])}, though ${holdWords(holds)}`
    } else if (until > now + RECHECK_MS) return `is not looked at again before ${until}`
  }
  for (const { reason } of dropped) {
    const wasHeld = holds.length > 0 || isHold(change.heldBy)
    if (reason === 'acknowledged' && !isAcknowledged) return 'is dropped as acknowledged'
    if (reason === 'held' && !wasHeld && change.again === null && !replacesHeld(change)) {
      return 'is dropped as held, though nothing held it'
    }
  }
  return null
}

/** What ends an incident whose down alert was held has replaced it, or waits behind it. */
function replacesHeld({ status, superseded }: Change): boolean {
  return status !== 'down' || superseded > 0
}

/** The longest time (ms) for which a limit holds anything. */
const LONGEST_MS = 2 * 3_600_000
