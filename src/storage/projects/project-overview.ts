import { countStates } from '../../core/checks/check-list.js'
import { isRunning, statusAt } from '../../core/checks/status.js'
import type { ProjectOverview } from '../../core/projects/project-overview.js'
import { appendTo } from '../../lib/append-to.js'
import { STATUS_COLUMNS } from '../checks/rows/check-rows.js'
import { leavingChecks } from '../checks/undos.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { longRead } from '../method.js'

/** The states of the projects with these UUIDs, in their order. Source: docs/behaviour.md, section 9.2. */
export const overviews = longRead(
  async (db: Db, uuids: readonly string[], now: number): Promise<ProjectOverview[]> => {
    if (uuids.length === 0) return []
    const hold = await currentHold(db, now)
    const projects = await db.sql
      .selectFrom('projects as p')
      .select(['p.id', 'p.uuid'])
      .select(eb =>
        eb
          .selectFrom('channels as ch')
          .select(s => s.fn.countAll<number>().as('n'))
          .whereRef('ch.project_id', '=', 'p.id')
          .as('channels'),
      )
      .where('p.uuid', 'in', uuids)
      .execute()
    const checks = await checksOf(
      db,
      projects.map(project => project.id),
    )
    const byUuid = new Map(projects.map(project => [project.uuid, project]))
    return uuids.flatMap(uuid => {
      const project = byUuid.get(uuid)
      if (!project) return []
      const own = checks.get(project.id) ?? []
      const {
        all: _,
        up: __,
        ...counts
      } = countStates(
        own.map(check => ({ status: statusAt(check, now, hold), running: isRunning(check, now, hold) })),
      )
      const lastPing = own.reduce<number | null>((last, check) => later(last, check.lastPing), null)
      return [{ uuid, checks: own.length, channels: Number(project.channels), lastPing, ...counts }]
    })
  },
)

/** The facts needed to count the checks of projects, by project ID. */
async function checksOf(db: Db, projectIds: readonly number[]) {
  const found = new Map<number, CheckToCount[]>()
  const leaving = await leavingChecks(db, projectIds)
  for (const some of chunks(projectIds, db.dialect.maxParameters)) {
    for (const row of await selectToCount(db, some)) {
      if (!leaving.has(row.uuid)) appendTo(found, row.projectId, row)
    }
  }
  return found
}

type CheckToCount = Awaited<ReturnType<typeof selectToCount>>[number]

async function selectToCount(db: Db, projectIds: readonly number[]) {
  return await db.sql
    .selectFrom('checks as c')
    .select(['c.uuid', 'c.project_id as projectId', 'c.last_ping as lastPing', ...STATUS_COLUMNS])
    .where('c.project_id', 'in', projectIds)
    .execute()
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
