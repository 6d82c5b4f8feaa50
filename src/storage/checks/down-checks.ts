import type { StoredStatus } from '../../core/checks/check.js'
import { checkState } from '../../core/checks/check-state.js'
import type { DownCheck } from '../../core/checks/down-check.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { lastFlips } from './last-flips.js'

/**
 * Of the checks of the projects with these UUIDs those that are down at `now`, noticed or not; what went down last
 * comes first, `limit` at most.
 */
export async function downChecks(
  db: Db,
  projects: readonly string[],
  now: number,
  limit: number,
): Promise<DownCheck[]> {
  const hold = await currentHold(db, now)
  const found: DownCheck[] = []
  for (const some of chunks(projects, db.dialect.maxParameters - 10)) {
    const rows = await select(db, some, now, limit)
    const flips = await lastFlips(
      db,
      rows.map(row => row.id),
    )
    for (const { id, status, manualResume, projectUuid, projectName, ...row } of rows) {
      const watched = { ...row, status: status as StoredStatus }
      const state = checkState(watched, flips.get(id) ?? null, now, hold)
      if (state.status !== 'down') continue
      const { uuid, name, lastPing, lastDurationMs, nPings, graceSeconds } = row
      const project = { uuid: projectUuid, name: projectName }
      const check = { uuid, name, lastPing, lastDurationMs, nPings, graceSeconds }
      found.push({ ...check, project, manualResume: manualResume === 1, state })
    }
  }
  return found.sort((a, b) => b.state.since - a.state.since).slice(0, limit)
}

async function select(db: Db, projects: readonly string[], now: number, limit: number) {
  return await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select(['c.id', 'c.uuid', 'c.status', 'c.status_since as statusSince', 'c.last_ping as lastPing'])
    .select(['c.last_start as lastStart', 'c.last_duration as lastDurationMs', 'c.due_at as dueAt'])
    .select(['c.alert_after as alertAfter', 'c.grace_s as graceSeconds', 'c.n_pings as nPings'])
    .select(['c.manual_resume as manualResume', 'd.name', 'p.uuid as projectUuid', 'p.name as projectName'])
    .where('p.uuid', 'in', projects)
    .where(eb => eb.or([eb('c.status', '=', 'down'), eb('c.alert_after', '<=', now)]))
    .orderBy('c.status_since', 'desc')
    .orderBy('c.id')
    .limit(limit)
    .execute()
}
