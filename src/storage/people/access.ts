/** The projects that a person can see, and their role. Everything on pages is reached through here. */

import { type Expression, type ExpressionBuilder, type Kysely, type QueryCreator, sql } from 'kysely'
import type { Role } from '../../core/people/role.js'
import { DELETIONS } from '../checks/undos.js'
import type { Db } from '../db.js'
import { gatheredWhere } from '../gathered.js'
import { readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import type { Project } from '../projects/projects.js'
import type { Tables } from '../tables.js'

/** A project with a person's role in it. */
export interface ProjectAccess extends Project {
  role: Role
  nChecks: number
}

/** A check with its project and the person's role. */
export interface CheckAccess {
  project: ProjectAccess
  check: { id: number; uuid: string }
}

/** A channel with its project and the person's role. */
export interface ChannelAccess {
  project: ProjectAccess
  channel: { id: number; uuid: string }
}

/** A project in a person's list. */
export interface ProjectEntry {
  id: number
  uuid: string
  name: string
  role: Role
  /** The number of its checks that are down. */
  down: number
}

/** The project with this UUID and the person's role; null if it does not exist or is not theirs. */
export const projectAccess = readWithoutSnapshot(
  async (db: Db, userId: number, uuid: string): Promise<ProjectAccess | null> => {
    const [row] = await byProject.all(db, { userId, uuid })
    return row ? toAccess(row, userId) : null
  },
)

const byProject = prepared((sql, value: { userId: number; uuid: string }) =>
  accessible(sql, value.userId).where('p.uuid', '=', value.uuid),
)

/** The check with this UUID, its project and the person's role; null if it does not exist or is not theirs. */
export const checkAccess = readWithoutSnapshot(
  async (db: Db, userId: number, uuid: string): Promise<CheckAccess | null> => {
    const [row] = await byCheck.all(db, { userId, uuid })
    return row ? { project: toAccess(row, userId), check: { id: row.targetId, uuid: row.targetUuid } } : null
  },
)

const byCheck = prepared((sql, value: { userId: number; uuid: string }) =>
  accessible(sql, value.userId)
    .innerJoin('checks as c', 'c.project_id', 'p.id')
    .select(['c.id as targetId', 'c.uuid as targetUuid'])
    .where('c.uuid', '=', value.uuid),
)

/** The channel with this UUID, its project and the person's role; null if it does not exist or is not theirs. */
export const channelAccess = readWithoutSnapshot(
  async (db: Db, userId: number, uuid: string): Promise<ChannelAccess | null> => {
    const row = await accessible(db.sql, userId)
      .innerJoin('channels as c', 'c.project_id', 'p.id')
      .select(['c.id as targetId', 'c.uuid as targetUuid'])
      .where('c.uuid', '=', uuid)
      .executeTakeFirst()
    return row
      ? { project: toAccess(row, userId), channel: { id: row.targetId, uuid: row.targetUuid } }
      : null
  },
)

/** The projects that a person owns or is a member of. */
export const listProjects = readWithoutSnapshot(async (db: Db, userId: number): Promise<ProjectEntry[]> => {
  const rows = await ofPerson.all(db, { userId })
  return rows.map(row => ({
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    role: roleOf(row, userId),
    down: Number(row.down ?? 0),
  }))
})

const ofPerson = prepared((kysely, { userId }: { userId: number }, engine) =>
  accessible(downIn(engine, projectIdsOf(kysely, userId)), userId)
    .select(downCount)
    // This uses an index; the condition of `accessible` alone would read every project.
    .where('p.id', 'in', projectIdsOf(kysely, userId))
    .orderBy('p.id'),
)

/** The builder of a query that reads, of checks, those of some projects that are down. */
function downIn(engine: Pick<Db, 'sql' | 'dialect'>, projectIds: Expression<unknown>): QueryCreator<Tables> {
  return gatheredWhere(engine, () => ({ checks: sql`status = 'down' AND project_id IN ${projectIds}` }))
}

/** The number of checks of a query's project `p` that are down, without those about to be deleted. */
export function downCount(eb: ExpressionBuilder<Tables & { p: Tables['projects'] }, 'p'>) {
  return (
    eb
      .selectFrom('checks as c')
      .select(s => s.fn.countAll<number>().as('n'))
      .whereRef('c.project_id', '=', 'p.id')
      // Not as a parameter, with which SQLite would not use its index of those that are down.
      .where('c.status', '=', sql.lit('down'))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('undos as u')
              .select('u.uuid')
              .whereRef('u.project_id', '=', 'p.id')
              .where('u.change', 'like', DELETIONS)
              .where(sql<boolean>`u.change LIKE '%' || c.uuid || '%'`),
          ),
        ),
      )
      .as('down')
  )
}

/** A query for the IDs of the projects that a person can see, and of those of them that are being deleted. */
export function projectIdsOf(sql: Kysely<Tables>, userId: number) {
  return sql
    .selectFrom('projects')
    .select('id')
    .where('owner_id', '=', userId)
    .union(sql.selectFrom('members').select('project_id as id').where('user_id', '=', userId))
}

function accessible(sql: QueryCreator<Tables>, userId: number) {
  return sql
    .selectFrom('projects as p')
    .leftJoin('members as m', join => join.onRef('m.project_id', '=', 'p.id').on('m.user_id', '=', userId))
    .select(['p.id', 'p.uuid', 'p.name', 'p.owner_id as ownerId', 'p.ping_key as pingKey'])
    .select(['p.badge_key as badgeKey', 'p.n_checks as nChecks', 'm.role as memberRole'])
    .where(eb => eb.or([eb('p.owner_id', '=', userId), eb('m.user_id', 'is not', null)]))
    .where('p.deleting', '=', 0)
}

type Row = Omit<ProjectAccess, 'role'> & { memberRole: Exclude<Role, 'owner'> | null }

function toAccess(row: Row, userId: number): ProjectAccess {
  const { id, uuid, name, ownerId, pingKey, badgeKey, nChecks } = row
  return { id, uuid, name, ownerId, pingKey, badgeKey, nChecks, role: roleOf(row, userId) }
}

function roleOf(row: Pick<Row, 'ownerId' | 'memberRole'>, userId: number): Role {
  return row.ownerId === userId ? 'owner' : row.memberRole!
}
