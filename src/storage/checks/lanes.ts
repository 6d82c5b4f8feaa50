/** What the checks of several projects did between two instants. */
import { sql } from 'kysely'
import { startTimeMs } from '../../core/checks/health/rules.js'
import { openRuns } from '../../core/checks/health/runs.js'
import {
  type LaneCheck,
  type LaneDeadline,
  type LaneIncident,
  type LaneRun,
  laneOf,
  laneRuns,
  type RunFacts,
} from '../../core/checks/lanes/lane.js'
import { type LanePage, type LaneView, lanePage } from '../../core/checks/lanes/lane-page.js'
import { statusAt } from '../../core/checks/status.js'
import type { Outage } from '../../core/instance/outage.js'
import type { Span } from '../../core/time/spans.js'
import { appendTo } from '../../lib/append-to.js'
import type { Db } from '../db.js'
import { currentHold, outagesSince } from '../instance/outages.js'
import { isWithinProject, partOfCheck, partOfProject } from '../instance/parts.js'
import type { PairedRuns } from '../kept.js'
import { longRead } from '../method.js'
import { preparedList } from '../prepared.js'
import { isSilentFlip } from './history/flip-rows.js'
import { pingsOfLanes } from './lanes/lane-pings.js'
import { hasTag, isNamed } from './list/filters.js'
import { LANE_COLUMNS, type LaneRow, toLaneRow } from './rows/check-rows.js'
import { selectShownName } from './rows/shown-name.js'
import { leavingChecks } from './undos.js'

export interface LanesFilter {
  /** A part of the check's name, in any case; empty: any. */
  search: string
  /** A tag of the check; empty: any. */
  tag: string
}

export interface Lanes {
  found: LanePage
  /** The number of checks that match and that were left out, because there are too many. */
  leftOut: number
  /** Times in which Punctual itself could not receive pings. */
  outages: Outage[]
}

/** The maximum number of checks: those that are down, then those that pinged last. */
const MOST_CHECKS = 2_000

/** The lanes of the checks of these projects (UUIDs) in `range` (ms), as far as known at `now`. */
export const lanes = longRead(
  async (
    db: Db,
    projects: readonly string[],
    range: Span,
    asked: LanesFilter & LaneView,
    now: number,
  ): Promise<Lanes> => {
    const hold = await currentHold(db, now)
    const { checks, leftOut } = await select(db, projects, asked)
    const rows = checks.map(({ row }) => row)
    const pings = await pingsOfLanes(db, rows, { range, now })
    const passed = await passedIn(db, rows, range)
    const incidents = await incidentsIn(db, rows, range)
    const shown = new Set(rows.flatMap(({ id, projectId }) => [partOfCheck(id), partOfProject(projectId)]))
    const outages = (await outagesSince(db, range.from)).filter(
      ({ startedAt, part }) =>
        startedAt < range.to && (part === undefined || !isWithinProject(part) || shown.has(part)),
    )
    const made = checks.map(({ row, ...named }) => {
      const own = pings.get(row.id)
      const open = openRuns(row, row).map(({ at }) => at)
      const facts = {
        check: { ...named, uuid: row.uuid, status: statusAt(row, now, hold) },
        runs: runsIn(own?.runs, { passed: passed.get(row.id) ?? NONE, open }, range),
        count: own?.count ?? 0,
        isBusy: own?.isBusy ?? false,
        incidents: incidents.get(row.id) ?? NONE,
      }
      return laneOf(facts, range, now)
    })
    return { found: lanePage(made, range, asked, now), leftOut, outages }
  },
)

const NONE: never[] = []

/** The runs of a check. Those of one whose pings tell all are made once for as long as its pings are kept. */
function runsIn(
  own: PairedRuns | undefined,
  { passed, open }: Omit<RunFacts, 'paired'>,
  range: Span,
): readonly LaneRun[] {
  if (!own) return laneRuns({ paired: NONE, passed, open }, range)
  if (passed.length + open.length > 0) return laneRuns({ paired: own.paired, passed, open }, range)
  own.plain ??= laneRuns({ paired: own.paired, passed, open }, range)
  return own.plain
}

interface NamedCheck extends Pick<LaneCheck, 'name' | 'tags' | 'project' | 'createdAt'> {
  row: LaneRow
}

/** The checks that match and stay, without their descriptions, which may be long. */
async function select(
  db: Db,
  projects: readonly string[],
  { search, tag }: LanesFilter,
): Promise<{ checks: NamedCheck[]; leftOut: number }> {
  if (projects.length === 0) return { checks: [], leftOut: 0 }
  const found = await db.sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name', 'n_checks as checks'])
    .where('uuid', 'in', [...projects])
    .execute()
  if (found.length === 0) return { checks: [], leftOut: 0 }
  const byId = new Map(found.map(({ id, uuid, name }) => [id, { uuid, name }]))
  let query = db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select([...LANE_COLUMNS, selectShownName, 'd.tags', 'd.created_at'])
    .where('c.project_id', 'in', [...byId.keys()])
  if (tag !== '') query = query.where(hasTag(db, tag))
  if (search !== '') query = query.where(isNamed(search))
  const all = found.reduce((sum, project) => sum + project.checks, 0)
  if (all > MOST_CHECKS) {
    query = query
      .orderBy(sql`CASE WHEN c.status = 'down' THEN 0 ELSE 1 END`)
      .orderBy(sql`coalesce(c.last_ping, 0) DESC`)
  }
  const { sql: text, parameters } = query.orderBy('c.id').limit(MOST_CHECKS).compile()
  const rows = await db.dialect.arrays(text, parameters)
  const leaving = await leavingChecks(db, [...byId.keys()])
  const checks = rows.flatMap(values => {
    const row = toLaneRow(values)
    if (leaving.has(row.uuid)) return []
    const [name, tags, createdAt] = values.slice(-3) as [string, string, number]
    return [{ row, name, tags, createdAt, project: byId.get(row.projectId)! }]
  })
  return { checks, leftOut: rows.length < MOST_CHECKS ? 0 : all - rows.length }
}

/** The deadlines that passed, from their log or, for checks with the defaults, from their flips. */
async function passedIn(
  db: Db,
  checks: readonly LaneRow[],
  { from, to }: Span,
): Promise<Map<number, LaneDeadline[]>> {
  const found = new Map<number, LaneDeadline[]>()
  const items = checks.map(({ id }) => ({ id }))
  const logged = await loggedDeadlines(db, { from, to }, items)
  const known = new Set(logged.map(({ id, at }) => `${id} ${at}`))
  for (const { id, cause, ...row } of logged) {
    appendTo(found, id, { ...row, cause: cause as LaneDeadline['cause'] })
  }
  const flips = await silentFlips(db, { from, to }, items)
  const byId = new Map(checks.map(check => [check.id, check]))
  for (const { id, at, reason } of flips) {
    if (known.has(`${id} ${at}`)) continue
    const cause = reason as LaneDeadline['cause']
    appendTo(found, id, { at, cause, since: cause === 'missed' ? at - startTimeMs(byId.get(id)!) : null })
  }
  return found
}

interface Times extends Record<string, number> {
  from: number
  to: number
}

interface Item extends Record<string, number> {
  id: number
}

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id)

const loggedDeadlines = preparedList((db, { from, to }: Times, items: Item[]) =>
  db
    .selectFrom('passed_deadlines')
    .select(['check_id as id', 'passed_at as at', 'cause', 'since_at as since'])
    .where('check_id', 'in', idsOf(items))
    .where('passed_at', '>=', from)
    .where('passed_at', '<', to),
)

const silentFlips = preparedList((db, { from, to }: Times, items: Item[]) =>
  db
    .selectFrom('flips')
    .select(['check_id as id', 'created_at as at', 'reason'])
    .where('check_id', 'in', idsOf(items))
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where(isSilentFlip()),
)

async function incidentsIn(
  db: Db,
  checks: readonly LaneRow[],
  { from, to }: Span,
): Promise<Map<number, LaneIncident[]>> {
  const found = new Map<number, LaneIncident[]>()
  const rows = await incidentsOf(
    db,
    { from, to },
    checks.map(({ id }) => ({ id })),
  )
  const sent = new Map<number, number[]>()
  for (const { id, at } of await sentAlerts(
    db,
    { from, to },
    rows.map(({ id }) => ({ id })),
  )) {
    appendTo(sent, id!, at)
  }
  for (const { checkId, ...row } of rows) appendTo(found, checkId, { ...row, sentAt: sent.get(row.id) ?? [] })
  return found
}

const incidentsOf = preparedList((db, { from, to }: Times, items: Item[]) =>
  db
    .selectFrom('incidents')
    .select(['id', 'check_id as checkId', 'opened_at as openedAt', 'closed_at as closedAt'])
    .where('check_id', 'in', idsOf(items))
    .where('opened_at', '<', to)
    .where(eb => eb.or([eb('closed_at', 'is', null), eb('closed_at', '>=', from)]))
    .orderBy('opened_at'),
)

/** When alerts about incidents were sent. */
const sentAlerts = preparedList((db, { from, to }: Times, items: Item[]) =>
  db
    .selectFrom('notifications')
    .select(['incident_id as id', 'created_at as at'])
    .where('incident_id', 'in', idsOf(items))
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('error', '=', '')
    .orderBy('id'),
)
