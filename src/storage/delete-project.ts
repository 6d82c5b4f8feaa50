/** Deleting a project, in slices, so that no write keeps the pings waiting. */
import { deleteChannel } from './channels.js'
import { removeCheck } from './checks.js'
import type { Db } from './db.js'

/** At most so many checks go with one write; their logs go with them. */
const SLICE = 20

/** Deletes some of a project's checks with all that is known of them. Returns whether there may be more. */
export async function deleteProjectSlice(db: Db, projectId: number): Promise<boolean> {
  const checks = await db.sql
    .selectFrom('checks')
    .select(['id', 'project_id as projectId'])
    .where('project_id', '=', projectId)
    .limit(SLICE)
    .execute()
  for (const check of checks) await removeCheck(db, check)
  return checks.length === SLICE
}

/** Deletes a project with its channels, keys, members and invitations, and the checks that are left. */
export async function deleteProject(db: Db, projectId: number): Promise<void> {
  while (await deleteProjectSlice(db, projectId));
  const channels = await db.sql
    .selectFrom('channels')
    .select('id')
    .where('project_id', '=', projectId)
    .execute()
  for (const { id } of channels) await deleteChannel(db, id)
  await db.sql.deleteFrom('projects').where('id', '=', projectId).execute()
}
