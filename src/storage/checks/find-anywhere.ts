import type { Db } from '../db.js'
import { read } from '../method.js'

/** A check of any project. `project`: its name, or else its UUID. */
export interface FoundCheck {
  uuid: string
  name: string
  projectId: number
  project: string
}

/** The maximum number of checks that are found. */
const MOST = 20

/** For the operator: the checks of all projects with this UUID, slug or name. */
export const findAnywhere = read(async (db: Db, named: string): Promise<FoundCheck[]> => {
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select([
      'c.uuid',
      'd.name',
      'c.project_id as projectId',
      'p.name as projectName',
      'p.uuid as projectUuid',
    ])
    .where(eb =>
      eb.or([eb('c.uuid', '=', named.toLowerCase()), eb('d.slug', '=', named), eb('d.name', '=', named)]),
    )
    .orderBy('c.id')
    .limit(MOST)
    .execute()
  return rows.map(({ projectName, projectUuid, ...check }) => ({
    ...check,
    project: projectName || projectUuid,
  }))
})
