/** The facts of an alert, read at the time of sending. */

import { sql } from 'kysely'
import type { AlertPing, BrokenLimit, OtherDownCheck } from '../../core/alerts/alert.js'
import type { Check } from '../../core/checks/check.js'
import type { Flip } from '../../core/checks/flip.js'
import { arePlain, startTimeMs } from '../../core/checks/health/rules.js'
import { dueAfter } from '../../core/checks/status.js'
import { type CauseDetail, causeDetail } from '../../core/incidents/cause-detail.js'
import { type Outage, outageWithin } from '../../core/instance/outage.js'
import { silentSince } from '../../core/instance/silence.js'
import type { Action } from '../../core/pings/ping-event.js'
import { durationsOf } from '../../core/pings/ping-log.js'
import { findCheckToSend } from '../checks/find-check.js'
import { recentFlips } from '../checks/history/recent-flips.js'
import { type Db, nearCheck } from '../db.js'
import { hasDependants, lastHold } from '../incidents/dependencies/dependants.js'
import { outagesSince } from '../instance/outages.js'
import { read } from '../method.js'
import { ALERT_BODY_BYTES, alertPart } from '../pings/large-body.js'
import { newestPings } from '../pings/newest-pings.js'
import { waitingBody } from '../pings/uploads.js'
import { prepared } from '../prepared.js'
import { brokenLimit } from './facts/broken-limit.js'
import { missedRuns } from './facts/missed-runs.js'

/** The body is null if it is large or outside the database, although its size (in bytes) is not 0. */
export type LoggedAlertPing = AlertPing & { bodySize: number }

export interface AlertFacts {
  check: Check
  project: { id: number; uuid: string; name: string }
  lastPing: LoggedAlertPing | null
  downtimeMs: number | null
  missedRuns: number
  detail: CauseDetail | null
  limit: BrokenLimit | null
  outage: Outage | null
  silentSince: number | null
  /** Whether other checks depend on it. */
  hasDependants: boolean
  held: { by: string; since: number } | null
}

/** The facts for a flip of a check, or null if either was deleted. `heldFor`: set if something held the alert. */
export const facts = read(
  async (
    db: Db,
    checkId: number,
    flipId: number,
    heldFor: { incidentId: number; channelId: number } | null = null,
  ): Promise<AlertFacts | null> => {
    // What does not depend on another's answer is asked for at once: in a storm, waiting costs more than asking.
    const near = nearCheck(db, checkId)
    const [check, flips] = await Promise.all([
      findCheckToSend(near, checkId),
      recentFlips(near, checkId, flipId),
    ])
    const [flip, before] = flips
    if (!check || flip?.id !== flipId) return null
    const isDown = flip.new_status === 'down'
    const recovered = !isDown && before?.new_status === 'down'
    const isSilenceOver = recovered && before.reason === 'missed'
    const change = { createdAt: flip.created_at, reason: flip.reason }
    const missed = flip.reason === 'missed' ? expectedBefore(check, flip.created_at) : null
    const [[found], lastPing, missedCount, outages, silence, held] = await Promise.all([
      projectById.all(db, { id: check.projectId, checkId, at: flip.created_at }),
      lastPingBefore(db, near, check, flip.created_at),
      isSilenceOver ? missedRuns(db, check, { downAt: before.created_at, upAt: flip.created_at }) : 0,
      missed === null ? [] : outagesSince(db, missed, check),
      missed === null ? null : silenceBefore(db, checkId, missed, flip.created_at),
      heldFor && lastHold(db, heldFor, flip.created_at),
    ])
    const { has_dependants, detail, ...project } = found!
    return {
      check,
      project,
      lastPing,
      downtimeMs: recovered ? flip.created_at - before.created_at : null,
      missedRuns: missedCount,
      detail: isDown ? detailOf(detail, check, change, lastPing) : null,
      limit: await brokenLimit(db, check, change, lastPing?.durationMs ?? null),
      outage: missed === null ? null : outageWithin(outages, missed, flip.created_at),
      silentSince: silence,
      hasDependants: has_dependants === 1,
      held,
    }
  },
)

/** As {@link silentSince}, by the newest pings of all checks; the newest one is nearly always enough. */
async function silenceBefore(db: Db, checkId: number, dueAt: number, now: number): Promise<number | null> {
  const [newest] = await newestPings(db, 1)
  if (!newest || newest.at >= dueAt) return null
  return silentSince(await newestPings(db, 100), checkId, dueAt, now)
}

/** The project, and what is known about the failure that opened an incident at `at`. */
const projectById = prepared((sql, value: { id: number; checkId: number; at: number }) =>
  sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name', hasDependants(value.checkId).as('has_dependants')])
    .select(eb =>
      eb
        .selectFrom('incidents')
        .select('detail')
        .where('check_id', '=', value.checkId)
        .where('opened_at', '=', value.at)
        .orderBy('incidents.id', 'desc')
        .limit(1)
        .as('detail'),
    )
    .where('id', '=', value.id),
)

/** The details as they were stored with the incident, else by the check's settings as they are now. */
function detailOf(
  stored: string | null,
  check: Check,
  change: Pick<Flip, 'createdAt' | 'reason'>,
  lastPing: LoggedAlertPing | null,
): CauseDetail {
  if (stored !== null) return JSON.parse(stored)
  return causeDetail(change, check, lastPing?.action === 'fail' ? lastPing.exitStatus : null)
}

/** When the ping was expected whose absence took the check down at `downAt`. */
function expectedBefore(check: Check, downAt: number): number | null {
  const dueAt = check.lastPing === null || !arePlain(check) ? null : dueAfter(check, check.lastPing)
  return dueAt !== null && dueAt <= downAt ? dueAt : downAt - startTimeMs(check)
}

async function lastPingBefore(
  db: Db,
  near: Db,
  { id: checkId, uuid: checkUuid }: { id: number; uuid: string },
  at: number,
): Promise<LoggedAlertPing | null> {
  const [row] = await pingBefore.all(near, { checkId, at })
  if (!row) return null
  return {
    n: row.n,
    action: row.kind as Action,
    at: row.created_at,
    ranAt: row.ran_at,
    exitStatus: row.exit_status,
    scheme: row.scheme,
    method: row.method,
    remoteAddr: row.remote_addr,
    ua: row.ua,
    durationMs: await durationOf(db, checkId, row),
    body: row.body ?? (row.object_size ? partOf(row.scheme, await waitingBody(db, checkUuid, row.n)) : null),
    bodySize: row.object_size ?? row.body_size ?? 0,
  }
}

function partOf(scheme: string, body: Uint8Array | null): Uint8Array | null {
  return body && alertPart(scheme, body)
}

/** Without a body that is large: see {@link largeBody}. */
const pingBefore = prepared((kysely, value: { checkId: number; at: number }) =>
  kysely
    .selectFrom('pings')
    .select([
      'n',
      'created_at',
      'ran_at',
      'kind',
      'rid',
      'exit_status',
      'scheme',
      'method',
      'remote_addr',
      'ua',
      'object_size',
    ])
    .select(sql<number | null>`length(body)`.as('body_size'))
    .select(
      sql<Uint8Array | null>`case when length(body) <= ${sql.lit(ALERT_BODY_BYTES)} then body end`.as('body'),
    )
    .where('check_id', '=', value.checkId)
    .where('created_at', '<=', value.at)
    .orderBy('n', 'desc')
    .limit(1),
)

/** The duration of a finished run, from the last start or end of a run with its ID: the rule needs no more. */
async function durationOf(
  db: Db,
  checkId: number,
  ping: { n: number; kind: string; rid: string | null; created_at: number; ran_at: number | null },
): Promise<number | null> {
  if (ping.kind !== 'success' && ping.kind !== 'fail') return null
  const before = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'ran_at as ranAt', 'kind', 'rid'])
    .where('check_id', '=', checkId)
    .where('n', '<', ping.n)
    .where('rid', ping.rid === null ? 'is' : '=', ping.rid)
    .where('kind', 'in', ['success', 'start', 'fail'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!before) return null
  const ended = {
    n: ping.n,
    at: ping.created_at,
    ranAt: ping.ran_at,
    action: ping.kind,
    rid: ping.rid,
  } as const
  return durationsOf([{ ...before, action: before.kind as Action }, ended]).get(ping.n) ?? null
}

export interface ProjectFacts {
  /** The number of checks in the project, including this one. */
  checks: number
  /** The number of checks that are down (by stored status), and up to eleven of them. */
  down: number
  someDown: (OtherDownCheck & { uuid: string })[]
}

/** The state of a project's checks for alerts. */
export const projectFacts = read(async (db: Db, projectId: number): Promise<ProjectFacts> => {
  const { n_checks: checks } = await db.sql
    .selectFrom('projects')
    .select('n_checks')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const incidents = await openIncidents(db, projectId)
  let downOf = db.sql
    .selectFrom('checks')
    .where('checks.project_id', '=', projectId)
    .where('checks.status', '=', 'down')
  if (incidents) {
    const present = incidents.filter(checkId => !db.dialect.isAway?.(checkId)).slice(0, NAMED_DOWN)
    downOf = downOf.where('checks.id', 'in', present.length > 0 ? present : [NO_CHECK])
  }
  const down =
    incidents?.length ??
    (await downOf.select(eb => eb.fn.countAll<number>().as('down')).executeTakeFirstOrThrow()).down
  const some = await downOf
    .innerJoin('check_details', 'check_details.check_id', 'checks.id')
    .select(['checks.uuid', 'check_details.name', 'checks.last_ping'])
    .limit(NAMED_DOWN)
    .execute()
  return {
    checks,
    down: Number(down),
    someDown: some.map(row => ({ uuid: row.uuid, label: row.name || row.uuid, lastPing: row.last_ping })),
  }
})

const NAMED_DOWN = 11

/** IDs begin with 1. */
const NO_CHECK = 0

/**
 * Where checks are on several servers, the project's checks that have an open incident, which is known in one place: an alert must
 * not wait for the servers of other checks. Otherwise null.
 */
async function openIncidents(db: Db, projectId: number): Promise<number[] | null> {
  if (!db.dialect.isDistributed) return null
  const { rows } = await sql<{ check_id: number }>`
    SELECT i.check_id FROM incidents i JOIN check_names n ON n.check_id = i.check_id
    WHERE n.project_id = ${projectId} AND i.closed_at IS NULL ORDER BY i.check_id`.execute(db.sql)
  return rows.map(({ check_id }) => check_id)
}
