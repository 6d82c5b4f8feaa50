/** For how long incidents were held for channels: the clocks of their policies do not run then. Decision 0115. */
import { tagList } from '../../../core/checks/check.js'
import { counted } from '../../../core/incidents/escalation.js'
import { type HeldAsk, heldLengths } from '../../../core/silences/held-time.js'
import { isInScope } from '../../../core/silences/silence.js'
import type { Version } from '../../../core/silences/versions.js'
import { activeAt } from '../../../core/silences/windows.js'
import type { Span } from '../../../core/time/spans.js'
import type { Db } from '../../db.js'
import { holdOf, silenceRowsSince } from '../../silences/silence-holds.js'
import { type SilenceRow, toSilence, versionsOf } from '../../silences/silence-rows.js'
import { dependencyHolds } from '../dependencies/dependency-holds.js'
import { dependencySpans } from '../dependencies/dependency-spans.js'
import type { LookedAt } from './looked-at.js'
import { type ProgressRow, toProgress } from './progress-rows.js'

/** How an incident was held for a channel. */
export interface HeldTime {
  /** For how long since its clock was set, see {@link counted}. The first that is asked computes it for all. */
  heldMs(): number
  /** Until when it is held now; null: it is not. */
  heldUntil: number | null
}

/** For each row of these incidents, how long it was held. What is read does not depend on the number of rows. */
export async function heldTimes(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<ReadonlyMap<ProgressRow, HeldTime>> {
  const silences = await silencesOf(db, incidents, now)
  const dependencies = await dependenciesOf(db, incidents, now)
  const asks = new Map<ProgressRow, HeldAsk>()
  const ends = new Map<ProgressRow, number[]>()
  for (const { checkId, projectId, tags, acknowledged, rows } of incidents) {
    const own = { checkId, tags: tagList(tags) }
    const inScope = (silences.get(projectId) ?? []).filter(({ silence }) => isInScope(silence.scope, own))
    const dependency = dependencies.get(checkId) ?? []
    for (const row of rows) {
      const holding = inScope.filter(({ channels }) => channels?.has(row.channel_id) ?? true)
      asks.set(row, {
        silences: holding.map(({ silence }) => silence),
        others: dependency.flatMap(({ spans }) => spans),
        spans: counted({ progress: toProgress(row), acknowledged }, now),
      })
      ends.set(
        row,
        [...holding, ...dependency].flatMap(({ until }) => until ?? []),
      )
    }
  }
  const lengthOf = lengthsOf(asks)
  return new Map(
    [...ends].map(([row, until]) => [
      row,
      { heldMs: () => lengthOf(row), heldUntil: until.length > 0 ? Math.max(...until) : null },
    ]),
  )
}

/** For each row, how long it was held; computed for all of them when the first is asked for. */
function lengthsOf(asks: ReadonlyMap<ProgressRow, HeldAsk>): (row: ProgressRow) => number {
  let lengths: Map<ProgressRow, number> | null = null
  return row => {
    if (lengths === null) {
      const found = heldLengths([...asks.values()])
      lengths = new Map([...asks.keys()].map((row, index) => [row, found[index]!]))
    }
    return lengths.get(row)!
  }
}

/** A silence as it is, or as it was before a change, and until when it holds now; null: it does not. */
interface SilenceHold {
  silence: Version
  /** The channels that it holds; null: all. A set, because each of thousands of rows asks. */
  channels: ReadonlySet<number> | null
  until: number | null
}

/** When dependencies held a check, and until when they do now; null: they do not. */
interface DependencyHold {
  spans: readonly Span[]
  until: number | null
}

/** The silences of the incidents' projects, by their IDs. */
async function silencesOf(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<Map<number, SilenceHold[]>> {
  const silenced = incidents.filter(({ hasSilences }) => hasSilences)
  const found = new Map<number, SilenceHold[]>()
  for (const projectId of new Set(silenced.map(incident => incident.projectId))) {
    const from = earliestClock(
      silenced.filter(incident => incident.projectId === projectId),
      now,
    )
    const rows = await silenceRowsSince(db, [projectId], from)
    found.set(
      projectId,
      rows.flatMap(row => holdsBy(row, from, now)),
    )
  }
  return found
}

/** What a silence holds now, and what it held since `from`. */
function holdsBy(row: SilenceRow, from: number, now: number): SilenceHold[] {
  const [today, ...earlier] = versionsOf(row)
  const silence = toSilence(row)
  const until = activeAt(silence, now) ? holdOf(silence, now).until : null
  return [today, ...earlier.filter(({ endedAt }) => endedAt > from)].map(version => ({
    silence: version,
    channels: version.channels && new Set(version.channels),
    until: version === today ? until : null,
  }))
}

/** What the checks on which those of the incidents depend hold, by the checks' IDs. */
async function dependenciesOf(
  db: Db,
  incidents: readonly LookedAt[],
  now: number,
): Promise<Map<number, DependencyHold[]>> {
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
