/** When an incident was held for a channel: the clock of its policy does not run then. Decision 0115. */
import { sql } from 'kysely'
import { tagList } from '../../../core/checks/check.js'
import { RECOVERY_MS } from '../../../core/incidents/dependency.js'
import type { ClosedBy } from '../../../core/incidents/incident.js'
import { holdsChannel, isInScope } from '../../../core/silences/silence.js'
import { windowsBetween } from '../../../core/silences/windows.js'
import { type Span, within } from '../../../core/time/spans.js'
import type { HoldableCheck } from '../../alerts/holds/held.js'
import type { Db } from '../../db.js'
import { silenceHolds, silencesSince } from '../../silences/silence-holds.js'
import { dependencyHolds } from '../dependencies/dependency-holds.js'

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
    held.push(...(await whileParentsWereDown(db, check.checkId, from, now)))
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

interface Incident {
  opened_at: number
  closed_at: number | null
  closed_by: ClosedBy | null
}

/** When a check on which this one depends had an open incident, with the time that the hold lasts longer at most if it recovered. */
async function whileParentsWereDown(db: Db, checkId: number, from: number, now: number): Promise<Span[]> {
  const { rows } = await sql<Incident>`
    WITH RECURSIVE above (id) AS (
      SELECT parent_id FROM check_parents WHERE check_id = ${checkId}
      UNION SELECT cp.parent_id FROM check_parents cp JOIN above ON above.id = cp.check_id
    )
    SELECT i.opened_at, i.closed_at, i.closed_by FROM incidents i JOIN above ON above.id = i.check_id
    WHERE i.closed_at IS NULL OR i.closed_at >= ${from - RECOVERY_MS}`.execute(db.sql)
  return rows.flatMap(({ opened_at, closed_at, closed_by }) => {
    const end = closed_at === null ? now : closed_by === 'recovery' ? closed_at + RECOVERY_MS : closed_at
    return within({ from: opened_at, to: end }, { from, to: now }) ?? []
  })
}
