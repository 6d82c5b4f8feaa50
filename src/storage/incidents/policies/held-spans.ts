/** When an incident was held for a channel: the clock of its policy does not run then. Decision 0115. */
import { tagList } from '../../../core/checks/check.js'
import { holdsChannel, isInScope } from '../../../core/silences/silence.js'
import { windowsBetween } from '../../../core/silences/windows.js'
import type { Span } from '../../../core/time/spans.js'
import type { HoldableCheck } from '../../alerts/holds/held.js'
import type { Db } from '../../db.js'
import { silenceHolds, silencesSince } from '../../silences/silence-holds.js'
import { dependencyHolds } from '../dependencies/dependency-holds.js'
import { dependencySpans } from '../dependencies/dependency-spans.js'

/** An open incident of a check that is down, for one channel. */
export interface HeldIncident {
  check: HoldableCheck
  channelId: number
  tags: string
  hasSilences: boolean
  hasParents: boolean
}

/** When it was held between two instants, in order, and until when it is held now; null: it is not. */
export async function heldSpans(
  db: Db,
  incident: HeldIncident,
  from: number,
  now: number,
): Promise<{ held: Span[]; heldUntil: number | null }> {
  const { check, channelId, hasSilences, hasParents } = incident
  const held: Span[] = []
  const until: number[] = []
  if (hasSilences) {
    held.push(...(await silenced(db, incident, from, now)))
    for (const one of await silenceHolds(db, channelId, [check], now)) until.push(...one.holds.map(untilOf))
  }
  if (hasParents) {
    held.push(...(await dependencySpans(db, check, from, now)))
    for (const one of await dependencyHolds(db, [check], now)) until.push(...one.holds.map(untilOf))
  }
  held.sort((a, b) => a.from - b.from)
  return { held, heldUntil: until.length > 0 ? Math.max(...until) : null }
}

const untilOf = ({ until }: { until: number }) => until

async function silenced(db: Db, { check, channelId, tags }: HeldIncident, from: number, now: number) {
  const silences = await silencesSince(db, check.projectId, from)
  const own = { checkId: check.checkId, tags: tagList(tags) }
  return silences
    .filter(silence => holdsChannel(silence, channelId) && isInScope(silence.scope, own))
    .flatMap(silence => windowsBetween(silence, from, now))
}
