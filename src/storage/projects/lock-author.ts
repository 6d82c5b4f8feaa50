import { Refusal } from '../../core/errors.js'
import { type MemberRole, may, type Need, tokenRole } from '../../core/people/role.js'
import type { Db } from '../db.js'
import { lockedRows } from '../locks.js'
import { lockAccount, lockAccountInSession, type OwnSession, type OwnToken } from '../people/lock-account.js'
import { lockProjectOwner } from './lock-project.js'

/** An API token of a project, by its UUID, and the ID of who made it; null: the operator. */
export interface ProjectToken {
  userId: number | null
  projectToken: string
}

/** The person who planned what is carried out now, wherever they are signed in. */
export interface Planner {
  plannerId: number
}

/** Who writes, if it is not the operator: a person in a session or with a token, or a token of the project. */
export type KnownAuthor = OwnSession | OwnToken | ProjectToken

/** Null or absent: the operator, or a test. */
export type Author = KnownAuthor | null | undefined

/**
 * Call this first in every write that outlives the access of its author: keys, tokens, invitations, channels. For all other writes of requests, a look
 * before they begin and before their commit is enough, see http/acting-deps.ts. Throws a
 * `Refusal` if the author's session or token ended in the meantime, or their role in the project does not allow `need` any more.
 * Locks the project, the author's account and their membership until the transaction ends, so that whatever ends the
 * access comes first, or after the write, which it then sees. Source: decision 0105.
 */
export async function lockAuthor(db: Db, projectId: number, by: Author | Planner, need: Need): Promise<void> {
  // In the same order as when a project gets another owner.
  const ownerId = await lockProjectOwner(db, projectId)
  if (!by) return
  const role = await roleOf(db, projectId, ownerId, by)
  if (role && may(role, need)) return
  throw new Refusal('forbidden', 'you may not do this in this project any more')
}

async function roleOf(
  db: Db,
  projectId: number,
  ownerId: number | null | undefined,
  by: KnownAuthor | Planner,
) {
  if ('projectToken' in by) return await lockTokenRole(db, projectId, ownerId, by.projectToken)
  if ('plannerId' in by) return await lockPlannerRole(db, projectId, ownerId, by)
  await lockAccountInSession(db, by)
  return ownerId === by.userId ? 'owner' : await lockRole(db, projectId, by.userId)
}

async function lockTokenRole(
  db: Db,
  projectId: number,
  ownerId: number | null | undefined,
  uuid: string,
): Promise<MemberRole | null> {
  const query = db.sql
    .selectFrom('api_tokens')
    .select(['role', 'author_id as authorId'])
    .where('project_id', '=', projectId)
    .where('uuid', '=', uuid)
  // Its author's account first, as wherever credentials end: then the token is there, or has ended.
  const plannerId = (await query.executeTakeFirst())?.authorId
  const author = plannerId == null ? null : await lockPlannerRole(db, projectId, ownerId, { plannerId })
  const token = await lockedRows(db, query).executeTakeFirst()
  if (!token?.role) return null
  return token.authorId === null ? token.role : tokenRole(token.role, author ?? null)
}

async function lockPlannerRole(
  db: Db,
  projectId: number,
  ownerId: number | null | undefined,
  { plannerId }: Planner,
) {
  const account = await lockAccount(db, plannerId)
  if (!account || account.disabledAt !== null) return null
  return ownerId === plannerId ? 'owner' : await lockRole(db, projectId, plannerId)
}

async function lockRole(db: Db, projectId: number, userId: number): Promise<MemberRole | undefined> {
  const query = db.sql
    .selectFrom('members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
  return (await lockedRows(db, query).executeTakeFirst())?.role
}
