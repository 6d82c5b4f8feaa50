/** Plans pings of checks that were read before. */
import type { ArrivedPing } from '../../../core/pings/arrived-ping.js'
import { appendTo } from '../../../lib/append-to.js'
import type { LoadedCheck } from '../../dialect.js'
import { checksWithKeywords, type Found, type PingPlan, planPings } from './ping-plan.js'

type FindCheck = (uuid: string) => LoadedCheck | undefined

/**
 * The plan for pings whose checks all come from `known`, by UUID. Null if a check is unknown, or if more has to be
 * read or written than the checks' states and their logs.
 */
export function planOfKnown(known: FindCheck, pings: readonly ArrivedPing[]): PingPlan | null {
  const found: Found[] = []
  for (const { target } of pings) {
    const check = 'uuid' in target ? known(target.uuid) : undefined
    if (!check) return null
    found.push({ check, created: false })
  }
  // Mostly e-mails, which come in groups that are recorded together or not at all.
  if (checksWithKeywords(found, pings).length > 0) return null
  const plan = planPings(found, pings, new Map())
  if (plan === null) return null
  const allOk = plan.rows.length > 0 && plan.result.outcomes.every(outcome => outcome === 'ok')
  const isPlain = allOk && plan.flips.length + plan.passed.length === 0
  return isPlain ? plan : null
}

/** As `planOfKnown`, for the pings of as many checks as possible: those at `places`. */
export function planOfSome(
  known: FindCheck,
  pings: readonly ArrivedPing[],
): { plan: PingPlan | null; places: number[] } {
  const plan = planOfKnown(known, pings)
  if (plan) return { plan, places: [...pings.keys()] }
  const planAt = (places: readonly number[]) =>
    planOfKnown(
      known,
      places.map(place => pings[place]!),
    )
  const byCheck = new Map<string, number[]>()
  for (const [place, { target }] of pings.entries()) {
    if ('uuid' in target) appendTo(byCheck, target.uuid, place)
  }
  const places = [...byCheck.values()].filter(some => planAt(some) !== null).flat()
  places.sort((a, b) => a - b)
  return { plan: planAt(places), places }
}
