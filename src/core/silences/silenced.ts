/** Which silences concern a check, and until when. */
import { tagList } from '../checks/check.js'
import type { NamedCheck, ShownSilence } from './shown-silence.js'

/** What holds the alerts of a check now. */
export interface Silenced {
  /** When it ends, if nothing else holds them then; null: not within a year. */
  until: number | null
  /** The silence that lasts longest. */
  silence: ShownSilence
  /** Whether only some of the channels are held. */
  isPartial: boolean
}

/** The silences whose scope has the check. */
export function silencesOf(
  silences: readonly ShownSilence[],
  check: { uuid: string; tags: string },
): ShownSilence[] {
  if (silences.length === 0) return []
  const tags = tagList(check.tags)
  return silences.filter(({ scope, namedChecks }) => {
    if ('checks' in scope) return uuidsIn(namedChecks!).has(check.uuid)
    return 'tags' in scope ? scope.tags.some(tag => tags.includes(tag)) : true
  })
}

/** A list asks for each of its rows. */
const uuids = new WeakMap<readonly NamedCheck[], ReadonlySet<string>>()

function uuidsIn(checks: readonly NamedCheck[]): ReadonlySet<string> {
  const known = uuids.get(checks)
  if (known) return known
  const found = new Set(checks.map(({ uuid }) => uuid))
  uuids.set(checks, found)
  return found
}

/** What holds the alerts of a check now, or null. */
export function silencedBy(
  silences: readonly ShownSilence[],
  check: { uuid: string; tags: string },
): Silenced | null {
  const active = silencesOf(silences, check).filter(({ state }) => state === 'active')
  const whole = active.filter(({ channels }) => channels === null)
  const counted = whole.length > 0 ? whole : active
  const [longest] = counted.toSorted((a, b) => endOf(b) - endOf(a))
  if (longest === undefined) return null
  return { until: longest.changesAt, silence: longest, isPartial: whole.length === 0 }
}

function endOf({ changesAt }: ShownSilence): number {
  return changesAt ?? Number.POSITIVE_INFINITY
}
