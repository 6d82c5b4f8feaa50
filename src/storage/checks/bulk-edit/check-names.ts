import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

/** How many checks one statement reads. */
const AT_ONCE = 500

/** The names of those of the checks that are in the project, by their IDs. */
export async function namesOf(
  db: Db,
  projectId: number,
  checks: readonly { id: number }[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>()
  for (const some of chunks(checks, AT_ONCE)) {
    const ids = some.map(({ id }) => id)
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.id', 'd.name'])
      .where('c.project_id', '=', projectId)
      .where('c.id', 'in', ids)
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}

/** A check of a project. */
interface OwnCheck {
  id: number
  uuid: string
  name: string
  tags: string
}

/** Those of the checks that are in the project, in the order of their IDs. */
export async function ownChecks(db: Db, projectId: number, uuids: readonly string[]): Promise<OwnCheck[]> {
  const found: OwnCheck[] = []
  for (const some of chunks([...new Set(uuids)], AT_ONCE)) {
    const rows = await db.sql
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['c.id', 'c.uuid', 'c.project_id', 'd.name', 'd.tags'])
      .where('c.uuid', 'in', some)
      .execute()
    // As a condition of the query, SQLite would look at all checks of the project.
    for (const { project_id, ...check } of rows) if (project_id === projectId) found.push(check)
  }
  return found.sort((a, b) => a.id - b.id)
}
