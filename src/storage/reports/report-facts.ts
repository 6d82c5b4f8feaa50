/** The facts of reports and reminders, read in slices, so that a large project does not delay others. */

import { failsForADay } from '../../core/alerts/delivery/unreachable.js'
import type { Check } from '../../core/checks/check.js'
import type { Flip } from '../../core/checks/flip.js'
import { statusAt } from '../../core/checks/status.js'
import type { Outage } from '../../core/instance/outage.js'
import { appendTo } from '../../lib/append-to.js'
import { failingMsOf } from '../channels/bounced-channel.js'
import { FLIP_COLUMNS, toFlip } from '../checks/history/flip-rows.js'
import { STATUS_COLUMNS } from '../checks/rows/check-rows.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold, outagesOf, outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { projectIdsOf } from '../people/access.js'
import { quietChecks } from './quiet-checks.js'

/** A project in a report. */
export interface ReportedProject {
  id: number
  uuid: string
  name: string
}

/** The facts of a check in a report. */
export interface ReportedCheck
  extends Pick<Check, 'uuid' | 'name' | 'slug' | 'uniqueKey' | 'status' | 'createdAt'> {
  id: number
  nPings: number
  lastPing: number | null
  /** By the rules, whether or not the watcher has noticed. */
  isDown: boolean
  /** Down, but a person has acknowledged it, or its alerts are held for all channels: nobody is reminded of it. */
  isQuiet: boolean
  /** Since the beginning of the report, oldest first. */
  flips: Flip[]
  /** Those that concern it since then, oldest first. */
  outages: Outage[]
}

/** A channel that was disabled after a failure, or through which nothing has arrived for a day. */
export interface TroubledChannel {
  kind: string
  name: string
  settings: Record<string, string>
  trouble: 'disabled' | 'unreachable' | 'refusing'
}

/** The channels of a project that deliver nothing, oldest first. One that a person disabled while it worked is not among them. */
export const troubledChannels = read(
  async (db: Db, projectId: number, now: number): Promise<TroubledChannel[]> => {
    const rows = await db.sql
      .selectFrom('channels')
      .select(['id', 'kind', 'name', 'settings', 'disabled', 'unreachable_at'])
      .select(['last_error', 'failing_ms', 'bounced_at', 'bounced_ms'])
      .where('project_id', '=', projectId)
      .where(eb => eb.or([eb('last_error', '<>', ''), eb('bounced_at', 'is not', null)]))
      .orderBy('id')
      .execute()
    const troubled: TroubledChannel[] = []
    for (const { kind, name, settings, disabled, unreachable_at, ...row } of rows) {
      const isDisabled = disabled === 1
      const fails = isDisabled ? row.last_error !== '' : failsForADay(await failingMsOf(db, row, now))
      if (!fails) continue
      const trouble = isDisabled ? 'disabled' : unreachable_at === null ? 'refusing' : 'unreachable'
      troubled.push({ kind, name, settings: JSON.parse(settings), trouble })
    }
    return troubled
  },
)

/** The projects that a person can see, and when any of their checks was last pinged. */
export const reportedProjects = read(
  async (db: Db, userId: number): Promise<{ projects: ReportedProject[]; lastPing: number | null }> => {
    const projects = await db.sql
      .selectFrom('projects')
      .select(['id', 'uuid', 'name'])
      .where('id', 'in', projectIdsOf(db.sql, userId))
      .where('deleting', '=', 0)
      .orderBy('id')
      .execute()
    const { at } = await db.sql
      .selectFrom('checks')
      .select(eb => eb.fn.max<number | null>('last_ping').as('at'))
      .where(
        'project_id',
        'in',
        projects.map(({ id }) => id),
      )
      .executeTakeFirstOrThrow()
    return { projects, lastPing: at }
  },
)

export interface ReportSlice {
  checks: ReportedCheck[]
}

/** Up to `limit` checks of a project after the check `after` (0: from the first), with their history since `since`. */
export const reportedChecks = read(
  async (
    db: Db,
    {
      projectId,
      after,
      limit,
      since,
      now,
    }: { projectId: number; after: number; limit: number; since: number; now: number },
  ): Promise<ReportSlice> => {
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select([
        'c.id',
        'c.uuid',
        'c.last_ping as lastPing',
        'c.n_pings as nPings',
        'c.status_since as statusSince',
        ...STATUS_COLUMNS,
      ])
      .select(['d.name', 'd.slug', 'd.unique_key as uniqueKey', 'd.created_at as createdAt'])
      .where('c.project_id', '=', projectId)
      .where('c.id', '>', after)
      .orderBy('c.id')
      .limit(limit)
      .execute()
    const flips = await flipsSince(
      db,
      rows.map(({ id }) => id),
      since,
    )
    const hold = await currentHold(db, now)
    const isDown = (row: (typeof rows)[number]) => statusAt(row, now, hold) === 'down'
    const down = rows
      .filter(isDown)
      .map(({ id, statusSince: downAt }) => ({ checkId: id, projectId, downAt }))
    const quiet = await quietChecks(db, down, now)
    const outages = await outagesSince(db, since)
    return {
      checks: rows.map(row => ({
        ...row,
        isDown: isDown(row),
        isQuiet: quiet.has(row.id),
        flips: flips.get(row.id) ?? [],
        outages: outagesOf(outages, { id: row.id, projectId }),
      })),
    }
  },
)

async function flipsSince(db: Db, checkIds: readonly number[], since: number): Promise<Map<number, Flip[]>> {
  const flips = new Map<number, Flip[]>()
  for (const some of chunks(checkIds, db.dialect.maxParameters - 1)) {
    const rows = await db.sql
      .selectFrom('flips')
      .select(['check_id', ...FLIP_COLUMNS])
      .where('check_id', 'in', some)
      .where('created_at', '>=', since)
      .orderBy('id')
      .execute()
    for (const row of rows) appendTo(flips, row.check_id, toFlip(row))
  }
  return flips
}

/** The number of runs of a check within a period. */
export interface RunCount {
  checkId: number
  succeeded: number
  failed: number
  /** False if the log does not reach back to the beginning of the period, so that there were more. */
  complete: boolean
}

/** The maximum number of pings of a check that are counted. */
const MAX_COUNTED = 5_000

/** The number of runs of these checks, successful and failed, from `from` until `to`, as far as their logs reach. */
export const runCounts = read(
  async (
    db: Db,
    checks: readonly { id: number; nPings: number }[],
    from: number,
    to: number,
  ): Promise<RunCount[]> => {
    const counts: RunCount[] = []
    for (const { id, nPings } of checks) {
      const beyond = nPings - Math.min(db.settings.pingLogLimit, MAX_COUNTED)
      const rows = await db.sql
        .selectFrom('pings')
        .select(['kind', eb => eb.fn.countAll<number>().as('count')])
        .where('check_id', '=', id)
        .where('n', '>', beyond)
        .where('kind', 'in', ['success', 'fail'])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .groupBy('kind')
        .execute()
      const oldest = await db.sql
        .selectFrom('pings')
        .select(['n', 'created_at as at'])
        .where('check_id', '=', id)
        .where('n', '>', beyond)
        .orderBy('n')
        .limit(1)
        .executeTakeFirst()
      const of = (kind: string) => Number(rows.find(row => row.kind === kind)?.count ?? 0)
      const complete = oldest === undefined ? nPings === 0 : oldest.n === 1 || oldest.at < from
      counts.push({ checkId: id, succeeded: of('success'), failed: of('fail'), complete })
    }
    return counts
  },
)
