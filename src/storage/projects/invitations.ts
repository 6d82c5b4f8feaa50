import { randomUUID } from 'node:crypto'
import type { MemberRole } from '../../core/people/role.js'
import type { Db } from '../db.js'
import { putMember } from './members.js'

/** An invitation that nobody has taken yet. */
export interface Invitation {
  uuid: string
  role: MemberRole
  /** Whom it was sent to; null for a link that was handed over otherwise. */
  email: string | null
  createdAt: number
  expiresAt: number
}

/** What an invitation's link opens. */
export interface Invited {
  project: { id: number; uuid: string; name: string }
  role: MemberRole
  email: string | null
}

/** Stores an invitation; an older one to the same address ends. Returns its UUID. */
export async function addInvitation(
  db: Db,
  invitation: {
    projectId: number
    digest: string
    role: MemberRole
    email: string | null
    now: number
    expiresAt: number
  },
): Promise<string> {
  const uuid = randomUUID()
  if (invitation.email !== null) {
    await db.sql
      .deleteFrom('invitations')
      .where('project_id', '=', invitation.projectId)
      .where('email', '=', invitation.email)
      .execute()
  }
  await db.sql
    .insertInto('invitations')
    .values({
      uuid,
      project_id: invitation.projectId,
      digest: invitation.digest,
      role: invitation.role,
      email: invitation.email,
      created_at: invitation.now,
      expires_at: invitation.expiresAt,
    })
    .execute()
  return uuid
}

/** The open invitations to a project, oldest first. */
export async function listInvitations(db: Db, projectId: number, now: number): Promise<Invitation[]> {
  return await db.sql
    .selectFrom('invitations')
    .select(['uuid', 'role', 'email', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('project_id', '=', projectId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
}

/** What the invitation with this digest opens; null when it was used, withdrawn or has run out. */
export async function findInvitation(db: Db, digest: string, now: number): Promise<Invited | null> {
  const row = await db.sql
    .selectFrom('invitations as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(['p.id', 'p.uuid', 'p.name', 'i.role', 'i.email'])
    .where('i.digest', '=', digest)
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const { role, email, ...project } = row
  return { project, role, email }
}

/** Makes the user a member by an invitation, which ends. Returns the project's UUID; null as above. */
export async function acceptInvitation(
  db: Db,
  digest: string,
  userId: number,
  now: number,
): Promise<string | null> {
  const found = await findInvitation(db, digest, now)
  if (!found) return null
  const { numDeletedRows } = await db.sql
    .deleteFrom('invitations')
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow()
  // Somebody else was quicker: it works once.
  if (Number(numDeletedRows) === 0) return null
  const member = await db.sql
    .selectFrom('members')
    .select('role')
    .where('project_id', '=', found.project.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // Who belongs already keeps their role.
  if (!member) await putMember(db, { projectId: found.project.id, userId, role: found.role, now })
  return found.project.uuid
}

/** Withdraws an invitation. Returns whether there was one. */
export async function removeInvitation(db: Db, projectId: number, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db.sql
    .deleteFrom('invitations')
    .where('project_id', '=', projectId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
}
