/** Deleting a project, in slices, so that no write keeps the pings waiting. */

import { removeChannel } from '../channels/channels.js'
import { lockProject, removeCheck } from '../checks/checks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'

/** At most so many checks go with one write; their logs go with them. */
const SLICE = 20

/** Deletes some of a project's checks with all that is known of them. Returns whether there may be more. */
export const deleteSlice = write(async (db: Db, projectId: number): Promise<boolean> => {
  // Held as a ping holds them, the project first: two that wait for each other would be a deadlock, and a ping recorded
  // meanwhile would stay behind.
  await lockProject(db, projectId)
  const rows = await db.sql
    .selectFrom('checks')
    .select('uuid')
    .where('project_id', '=', projectId)
    .limit(SLICE)
    .execute()
  const checks = await db.dialect.loadChecks(rows.map(row => row.uuid))
  for (const { id } of checks) await removeCheck(db, { id, projectId })
  return rows.length === SLICE
})

/** Deletes a project with its channels, keys, members and invitations, and the checks that are left. */
const deleteProject = write(async (db: Db, projectId: number): Promise<void> => {
  while (await deleteSlice(db, projectId));
  const channels = await db.sql
    .selectFrom('channels')
    .select('id')
    .where('project_id', '=', projectId)
    .execute()
  for (const { id } of channels) await removeChannel(db, id)
  await db.sql.deleteFrom('projects').where('id', '=', projectId).execute()
})

export { deleteProject as delete }
