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
