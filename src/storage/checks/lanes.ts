/** What the checks of several projects did between two instants. */
import { sql } from 'kysely'
import type { Status } from '../../core/checks/check.js'
import { startTimeMs, tracksEachRun } from '../../core/checks/health/rules.js'
import { factsOf, openRuns } from '../../core/checks/health/runs.js'
import { type Lane, type LaneDeadline, type LaneIncident, laneOf } from '../../core/checks/lanes/lane.js'
import { statusAt } from '../../core/checks/status.js'
import type { Outage } from '../../core/instance/outage.js'
import type { Span } from '../../core/time/spans.js'
import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { hasTag } from '../incidents/reading/has-tag.js'
import { currentHold, outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { type CheckWithIds, selectChecks, toCheck } from './check-rows.js'
import { isSilentFlip } from './history/flip-rows.js'
import { pingsOfLanes } from './lanes/lane-pings.js'

export interface LanesFilter {
  /** A part of the check's name, in any case; empty: any. */
  search: string
  /** A tag of the check; empty: any. */
  tag: string
}

export interface Lanes {
  lanes: Lane[]
  /** The number of checks that match and that were left out, because there are too many. */
  leftOut: number
  /** Times in which Punctual itself could not receive pings. */
  outages: Outage[]
}

/** The maximum number of checks: those that are down, then those that pinged last. */
const MOST_CHECKS = 2_000

/** The lanes of the checks of these projects (UUIDs) in `range` (ms), as far as known at `now`. */
export const lanes = read(
  async (
    db: Db,
    projects: readonly string[],
    range: Span,
    filter: LanesFilter,
    now: number,
  ): Promise<Lanes> => {
    const hold = await currentHold(db, now)
    const { checks, leftOut } = await select(db, projects, filter)
    const pings = await pingsOfLanes(db, checks, { range, now })
    const passed = await passedIn(db, checks, range)
    const incidents = await incidentsIn(db, checks, range)
    const outages = (await outagesSince(db, range.from)).filter(({ startedAt }) => startedAt < range.to)
    const made = checks.map(({ project, ...check }) => {
      const own = pings.get(check.id)
      const facts = {
        check: { ...nameOf(check), project, status: statusAt(check, now, hold) satisfies Status },
        each: tracksEachRun(check),
        pings: own?.pings ?? [],
        count: own?.count ?? 0,
        isBusy: own?.isBusy ?? false,
        passed: passed.get(check.id) ?? [],
        open: openRuns(factsOf(check), check).map(({ at }) => at),
        incidents: incidents.get(check.id) ?? [],
      }
      return laneOf(facts, range)
    })
    return { lanes: made, leftOut, outages }
  },
)

function nameOf({ uuid, name, tags }: CheckWithIds) {
  return { uuid, name, tags }
}

type ListedCheck = CheckWithIds & { project: { uuid: string; name: string } }

async function select(db: Db, projects: readonly string[], { search, tag }: LanesFilter) {
  const rows = await db.sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name', 'n_checks as checks'])
    .where('uuid', 'in', [...projects])
    .execute()
  const byId = new Map(rows.map(({ id, uuid, name }) => [id, { uuid, name }]))
  if (byId.size === 0) return { checks: [], leftOut: 0 }
  let query = selectChecks(db.sql).where('c.project_id', 'in', [...byId.keys()])
  if (tag !== '') query = query.where(hasTag(db, tag))
  if (search !== '') {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where(sql<boolean>`lower(d.name) LIKE ${pattern} ESCAPE '\\'`)
  }
  const { sql: text, parameters } = query
    .orderBy(sql`CASE WHEN c.status = 'down' THEN 0 ELSE 1 END`)
    .orderBy(sql`coalesce(c.last_ping, 0) DESC`)
    .orderBy('c.id')
    .limit(MOST_CHECKS)
    .compile()
  const found = (await db.dialect.arrays(text, parameters)).map(toCheck)
  const checks = found.map((check): ListedCheck => ({ ...check, project: byId.get(check.projectId)! }))
  const all = rows.reduce((sum, row) => sum + row.checks, 0)
  const leftOut = checks.length < MOST_CHECKS ? 0 : all - checks.length
  return { checks, leftOut }
}

/** The deadlines that passed, from their log or, for checks with the defaults, from their flips. */
async function passedIn(
  db: Db,
  checks: readonly CheckWithIds[],
  range: Span,
): Promise<Map<number, LaneDeadline[]>> {
  const found = new Map<number, LaneDeadline[]>()
  for (const some of chunks(checks, db.dialect.maxParameters - 10)) {
    const ids = some.map(({ id }) => id)
    const logged = await db.sql
      .selectFrom('passed_deadlines')
      .select(['check_id as id', 'passed_at as at', 'cause', 'since_at as since'])
      .where('check_id', 'in', ids)
      .where('passed_at', '>=', range.from)
      .where('passed_at', '<', range.to)
      .execute()
    const known = new Set(logged.map(({ id, at }) => `${id} ${at}`))
    for (const { id, cause, ...row } of logged) {
      appendTo(found, id, { ...row, cause: cause as LaneDeadline['cause'] })
    }
    const flips = await db.sql
      .selectFrom('flips')
      .select(['check_id as id', 'created_at as at', 'reason'])
      .where('check_id', 'in', ids)
      .where('created_at', '>=', range.from)
      .where('created_at', '<', range.to)
      .where(isSilentFlip())
      .execute()
    const byId = new Map(some.map(check => [check.id, check]))
    for (const { id, at, reason } of flips) {
      if (known.has(`${id} ${at}`)) continue
      const cause = reason as LaneDeadline['cause']
      appendTo(found, id, { at, cause, since: cause === 'missed' ? at - startTimeMs(byId.get(id)!) : null })
    }
  }
  return found
}

async function incidentsIn(
  db: Db,
  checks: readonly CheckWithIds[],
  range: Span,
): Promise<Map<number, LaneIncident[]>> {
  const found = new Map<number, LaneIncident[]>()
  for (const some of chunks(checks, db.dialect.maxParameters - 10)) {
    const rows = await db.sql
      .selectFrom('incidents')
      .select(['id', 'check_id as checkId', 'opened_at as openedAt', 'closed_at as closedAt'])
      .where(
        'check_id',
        'in',
        some.map(({ id }) => id),
      )
      .where('opened_at', '<', range.to)
      .where(eb => eb.or([eb('closed_at', 'is', null), eb('closed_at', '>=', range.from)]))
      .orderBy('opened_at')
      .execute()
    const sent = await sentOf(
      db,
      rows.map(({ id }) => id),
      range,
    )
    for (const { checkId, ...row } of rows)
      appendTo(found, checkId, { ...row, sentAt: sent.get(row.id) ?? [] })
  }
  return found
}

/** When alerts about incidents were sent. */
async function sentOf(db: Db, incidents: readonly number[], range: Span): Promise<Map<number, number[]>> {
  const sent = new Map<number, number[]>()
  for (const some of chunks(incidents, db.dialect.maxParameters - 10)) {
    const rows = await db.sql
      .selectFrom('notifications')
      .select(['incident_id as id', 'created_at as at'])
      .where('incident_id', 'in', some)
      .where('created_at', '>=', range.from)
      .where('created_at', '<', range.to)
      .where('error', '=', '')
      .orderBy('id')
      .execute()
    for (const { id, at } of rows) appendTo(sent, id!, at)
  }
  return sent
}
