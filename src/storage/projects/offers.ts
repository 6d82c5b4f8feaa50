/** The valid offer of a project. Source: decision 0105. */
import type { Db } from '../db.js'

/** A valid offer. */
export interface Offer {
  /** The member to whom the project is offered. */
  userId: number
  requestedAt: number
}

/**
 * The valid offer of a project, or null. An offer is valid only while the person who made it owns the project, is not
 * disabled, and has the same credentials: if another person made it with stolen access, it ends with that access. It
 * also ends when the project is being deleted.
 */
export async function findOffer(db: Db, projectId: number): Promise<Offer | null> {
  const offer = await db.sql
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .innerJoin('users as o', 'o.id', 'p.owner_id')
    .select(['m.user_id as userId', 'm.transfer_requested_at as requestedAt'])
    .where('m.project_id', '=', projectId)
    .where('m.transfer_requested_at', 'is not', null)
    .whereRef('m.offered_by', '=', 'o.id')
    .whereRef('m.offered_version', '=', 'o.credentials_version')
    .where('o.disabled_at', 'is', null)
    .where('p.deleting', '=', 0)
    .$narrowType<{ requestedAt: number }>()
    .executeTakeFirst()
  return offer ?? null
}
