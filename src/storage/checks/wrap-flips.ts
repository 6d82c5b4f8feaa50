import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { prepared } from '../prepared.js'

/** Whether version 3 of the API wraps a project's flips in an object; null where the project leaves it to WRAP_FLIPS. */
export const wrapsFlips = read(async (db: Db, projectId: number): Promise<boolean | null> => {
  const [row] = await byProject.all(db, { projectId })
  return row?.wrap_flips == null ? null : row.wrap_flips === 1
})

const byProject = prepared((sql, value: { projectId: number }) =>
  sql.selectFrom('projects').select('wrap_flips').where('id', '=', value.projectId),
)

/** Sets what {@link wrapsFlips} returns. */
export const setWrapFlips = write(async (db: Db, projectId: number, wrap: boolean | null): Promise<void> => {
  await db.sql
    .updateTable('projects')
    .set({ wrap_flips: wrap === null ? null : wrap ? 1 : 0 })
    .where('id', '=', projectId)
    .execute()
})
