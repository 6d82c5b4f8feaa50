import { checkState } from '../../core/checks/check-state.js'
import type { DownCheck } from '../../core/checks/down-check.js'
import { lastExitStatus } from '../../core/checks/history/run-strip.js'
import { passedUntil } from '../../core/instance/outage.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { acknowledgedChecks } from '../incidents/acknowledged.js'
import { currentHold } from '../instance/outages.js'
import { read } from '../method.js'
import { lastFlips } from './history/last-flips.js'
import { stripsOf } from './history/run-rows.js'
import { selectChecks, toNamedCheck } from './rows/check-rows.js'
import { leavingChecks } from './undos.js'

/**
 * The checks of these projects that are down at `now`, noticed by the watcher or not; the
 * latest first, at most `limit`.
 */
export const listDown = read(
  async (db: Db, projects: readonly string[], now: number, limit: number): Promise<DownCheck[]> => {
    const hold = await currentHold(db, now)
    const found: DownCheck[] = []
    for (const some of chunks(projects, db.dialect.maxParameters - 10)) {
      const rows = await select(db, some, passedUntil(now, hold), limit)
      const ids = rows.map(({ id }) => id)
      const flips = await lastFlips(db, ids)
      const strips = await stripsOf(
        db,
        rows.map(({ id, n_pings }) => ({ id, nPings: n_pings, runningSince: null })),
      )
      const acknowledged = await acknowledgedChecks(db, ids, now)
      const leaving = await leavingChecks(db, [...new Set(rows.map(row => row.project_id))])
      for (const row of rows) {
        const check = toNamedCheck(row)
        if (leaving.has(check.uuid)) continue
        const state = checkState(check, flips.get(check.id) ?? null, now, hold)
        if (state.status !== 'down') continue
        found.push({
          ...check,
          project: { uuid: row.projectUuid, name: row.projectName },
          state,
          exitStatus: lastExitStatus(strips.get(check.id) ?? []),
          acknowledged: acknowledged.get(check.id) ?? null,
        })
      }
    }
    return found.sort((a, b) => b.state.since - a.state.since).slice(0, limit)
  },
)

async function select(db: Db, projects: readonly string[], passed: number, limit: number) {
  return await selectChecks(db.sql)
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select(['p.uuid as projectUuid', 'p.name as projectName'])
    .where('p.uuid', 'in', projects)
    .where(eb => eb.or([eb('c.status', '=', 'down'), eb('c.alert_after', '<=', passed)]))
    .orderBy('c.status_since', 'desc')
    .orderBy('c.id')
    .limit(limit)
    .execute()
}
