import type { Db } from '../db.js'
import { read } from '../method.js'

/** Whether a project has a silence that is not over at `now` (ms). */
export const hasAny = read(async (db: Db, projectId: number, now: number): Promise<boolean> => {
  const row = await db.sql
    .selectFrom('silences')
    .select('id')
    .where('project_id', '=', projectId)
    .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
})
