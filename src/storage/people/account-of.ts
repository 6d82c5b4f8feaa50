import type { Db } from '../db.js'

/** The account that a project counts towards; a project without an owner is an account of its own. */
export async function accountOf(db: Db, projectId: number): Promise<string> {
  const { ownerId } = await db.sql
    .selectFrom('projects')
    .select('owner_id as ownerId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return ownerId === null ? `project ${projectId}` : `user ${ownerId}`
}
