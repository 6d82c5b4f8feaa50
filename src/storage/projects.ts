import { randomUUID } from 'node:crypto'
import type { Db } from './db.js'

export interface Project {
  id: number
  uuid: string
  name: string
  ownerId: number | null
  pingKey: string | null
  badgeKey: string
}

/** Makes a project without API keys; a ping key only where one is given. */
export async function createProject(
  db: Db,
  project: { name: string; ownerId: number | null; pingKey: string | null; now: number },
): Promise<Project> {
  const row = {
    uuid: randomUUID(),
    name: project.name,
    owner_id: project.ownerId,
    ping_key: project.pingKey,
    badge_key: randomUUID(),
  }
  const { id } = await db.sql
    .insertInto('projects')
    .values({ ...row, created_at: project.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    id,
    uuid: row.uuid,
    name: row.name,
    ownerId: row.owner_id,
    pingKey: row.ping_key,
    badgeKey: row.badge_key,
  }
}
