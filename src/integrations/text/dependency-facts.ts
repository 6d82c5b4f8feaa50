/** What an alert says about dependencies and holds. They are facts, because their values contain names of checks. */
import type { Alert } from '../../core/alerts/alert.js'
import { plural } from '../../core/text/plural.js'
import { clockWordsWithZone } from '../../core/time/instant.js'
import type { Fact } from './alert-text.js'

/** The checks that an alert's check holds, or that are still down after its recovery; and what held the alert itself. */
export function dependencyFacts({ status, dependants, held, now }: Alert, tz: string): Fact[] {
  const found: Fact[] = []
  if (held) {
    found.push({ label: 'Held By', value: `${held.by} since ${clockWordsWithZone(held.since, now, tz)}` })
  }
  if (dependants) {
    const depend = plural(dependants.count, 'check depends', 'checks depend')
    const are = dependants.count === 1 ? 'is' : 'are'
    const state =
      status === 'down' ? `${depend} on it and ${are} held` : `${depend} on it and ${are} still down`
    found.push({ label: 'Dependants', value: `${state}: ${namesOf(dependants)}` })
  }
  return found
}

function namesOf({ count, names }: { count: number; names: readonly string[] }): string {
  const others = count - names.length
  return others > 0 ? `${names.join(', ')} and ${others} more` : names.join(', ')
}
