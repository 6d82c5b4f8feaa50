/** When incidents were held for channels: the clocks of their policies do not run then. Decision 0115. */
import { tagList } from '../../../core/checks/check.js'
import { holdsChannel, isInScope, type Silence } from '../../../core/silences/silence.js'
import { activeAt, windowsBetween } from '../../../core/silences/windows.js'
import { type Span, within } from '../../../core/time/spans.js'
import type { Db } from '../../db.js'
import { holdOf, silencesSince } from '../../silences/silence-holds.js'
import { dependencyHolds } from '../dependencies/dependency-holds.js'
import { dependencySpans } from '../dependencies/dependency-spans.js'
import type { LookedAt } from './looked-at.js'
import type { ProgressRow } from './progress-rows.js'

/** When an incident was held for a channel since its clock was set, and until when it is held now; null: it is not. */
export interface HeldTime {
  held: Span[]
  heldUntil: number | null
}

/** For each row of these incidents, when it was held. What is read does not depend on the number of rows. */
export async function heldTimes(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<ReadonlyMap<ProgressRow, HeldTime>> {
  const silences = await silencesOf(db, incidents, now)
  const dependencies = await dependenciesOf(db, incidents, now)
  const times = new Map<ProgressRow, HeldTime>()
  for (const { checkId, projectId, tags, rows } of incidents) {
    const own = { checkId, tags: tagList(tags) }
    const inScope = (silences.get(projectId) ?? []).filter(({ silence }) => isInScope(silence.scope, own))
    const dependency = dependencies.get(checkId) ?? []
    for (const row of rows) {
      const since = { from: row.clock_at, to: now }
      const holds = [...inScope.filter(({ silence }) => holdsChannel(silence, row.channel_id)), ...dependency]
      const ends = holds.flatMap(({ until }) => until ?? [])
      times.set(row, {
        held: holds.flatMap(({ spans }) => spans.flatMap(span => within(span, since) ?? [])),
        heldUntil: ends.length > 0 ? Math.max(...ends) : null,
      })
    }
  }
  return times
}

/** Something that held: when, and until when it does now; null: it does not. */
interface Hold {
  spans: readonly Span[]
  until: number | null
}

/** The silences of the incidents' projects, by their IDs. */
async function silencesOf(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<Map<number, (Hold & { silence: Silence })[]>> {
  const silenced = incidents.filter(({ hasSilences }) => hasSilences)
  const found = new Map<number, (Hold & { silence: Silence })[]>()
  for (const projectId of new Set(silenced.map(incident => incident.projectId))) {
    const from = earliestClock(
      silenced.filter(incident => incident.projectId === projectId),
      now,
    )
    const holds = (await silencesSince(db, [projectId], from)).map(silence => ({
      silence,
      spans: windowsBetween(silence, from, now),
      until: activeAt(silence, now) ? holdOf(silence, now).until : null,
    }))
    found.set(projectId, holds)
  }
  return found
}

/** What the checks on which those of the incidents depend hold, by the checks' IDs. */
async function dependenciesOf(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<Map<number, Hold[]>> {
  const checks = incidents
    .filter(({ hasParents }) => hasParents)
    .map(incident => {
      const { checkId, projectId, downAt } = incident
      return { checkId, projectId, downAt, since: earliestClock([incident], now) }
    })
  if (checks.length === 0) return new Map()
  const spans = await dependencySpans(db, checks, now)
  const holds = await dependencyHolds(db, checks, now)
  return new Map(
    checks.map(({ checkId }, index) => {
      const until = holds[index]!.holds.map(hold => ({ spans: [], until: hold.until }))
      return [checkId, [{ spans: spans[index]!, until: null }, ...until]]
    }),
  )
}

/** The earliest instant (ms) at which a clock of these incidents was set, at most `now`. */
function earliestClock(incidents: readonly LookedAt[], now: number): number {
  return Math.min(now, ...incidents.flatMap(({ rows }) => rows.map(row => row.clock_at)))
}
