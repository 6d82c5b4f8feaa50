import { randomUUID } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import { MEMBER_ROLES, type MemberRole, may } from '../../core/people/role.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { read, write } from '../method.js'
import { newId } from '../new-id.js'
import { type KnownAuthor, lockAuthor } from './lock-author.js'
import { putMember } from './members.js'
import { ENDED_INVITATION, recordEndedInvitations } from './record-members.js'

/** An open invitation. */
export interface Invitation {
  uuid: string
  role: MemberRole
  /** The address it was sent to; null for a link that the inviter passed on. */
  email: string | null
  createdAt: number
  expiresAt: number
  /** The inviter; null if that was not recorded. */
  inviter: string | null
}

/** What an invitation is for. */
export interface Invited {
  project: { id: number; uuid: string; name: string }
  role: MemberRole
  email: string | null
}

/**
 * An invitation, like an offer, is valid only while its maker is not disabled and may invite people. A condition on
 * `invitations as i`. Source: decision 0105.
 */
const MAKER_MAY_INVITE = sql<SqlBool>`(i.inviter_id IS NULL OR EXISTS (
  SELECT 1 FROM users AS maker WHERE maker.id = i.inviter_id AND maker.disabled_at IS NULL AND (
    EXISTS (SELECT 1 FROM projects WHERE projects.id = i.project_id AND projects.owner_id = maker.id)
    OR EXISTS (SELECT 1 FROM members WHERE members.project_id = i.project_id AND members.user_id = maker.id
      AND members.role IN (${sql.join(MEMBER_ROLES.filter(role => may(role, 'manage')))})))))`

/**
 * Stores an invitation; an older one to the same address ends. Returns its UUID. Throws a `Refusal` if the inviter,
 * `by`, was signed out in the meantime or may not invite any more.
 */
export const addInvitation = write(
  async (
    db: Db,
    invitation: {
      projectId: number
      by: KnownAuthor
      digest: string
      role: MemberRole
      email: string | null
      now: number
      expiresAt: number
    },
  ): Promise<string> => {
    await lockAuthor(db, invitation.projectId, invitation.by, 'manage')
    const uuid = randomUUID()
    const { projectId, email, role, now } = invitation
    if (email !== null) {
      const replaced = await db.sql
        .deleteFrom('invitations')
        .where('project_id', '=', projectId)
        .where('email', '=', email)
        .returning(ENDED_INVITATION)
        .execute()
      await recordEndedInvitations(db, replaced, now)
    }
    await db.sql
      .insertInto('invitations')
      .values({
        ...(await newId(db, 'invitations')),
        uuid,
        project_id: invitation.projectId,
        inviter_id: invitation.by.userId,
        digest: invitation.digest,
        role: invitation.role,
        email: invitation.email,
        created_at: invitation.now,
        expires_at: invitation.expiresAt,
      })
      .execute()
    const object = { id: uuid, name: email ?? '' }
    await recordEvent(db, { projectId, type: 'invitation.created', object, after: { email, role } }, now)
    return uuid
  },
)

/** The open invitations to a project, oldest first. */
export const listInvitations = read(async (db: Db, projectId: number, now: number): Promise<Invitation[]> => {
  return await db.sql
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.inviter_id')
    .select(['i.uuid', 'i.role', 'i.email', 'i.created_at as createdAt', 'i.expires_at as expiresAt'])
    .select('u.email as inviter')
    .where('i.project_id', '=', projectId)
    .where('i.expires_at', '>', now)
    .where(MAKER_MAY_INVITE)
    .orderBy('i.id')
    .execute()
})

/**
 * The address that a mailed link of this invitation proves, without using up the link; null if it is unknown,
 * expired, or belongs to another invitation.
 */
export const findProof = read(
  async (
    db: Db,
    { invitation, proof, now }: { invitation: string; proof: string; now: number },
  ): Promise<string | null> => {
    const row = await db.sql
      .selectFrom('tokens as t')
      .innerJoin('invitations as i', 'i.id', 't.invitation_id')
      .select('t.email')
      .where('t.digest', '=', proof)
      .where('t.purpose', '=', 'invited')
      .where('t.expires_at', '>', now)
      .where('i.digest', '=', invitation)
      .executeTakeFirst()
    return row?.email ?? null
  },
)

/** The invitation with this digest; null if it was used, withdrawn or has expired. */
export const findInvitation = read(async (db: Db, digest: string, now: number): Promise<Invited | null> => {
  const row = await db.sql
    .selectFrom('invitations as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(['p.id', 'p.uuid', 'p.name', 'i.role', 'i.email'])
    .where('i.digest', '=', digest)
    .where('i.expires_at', '>', now)
    .where(MAKER_MAY_INVITE)
    .executeTakeFirst()
  if (!row) return null
  const { role, email, ...project } = row
  return { project, role, email }
})

/**
 * Makes the user a member by an invitation, which is used up. Returns the project's UUID; null as
 * for {@link findInvitation}.
 */
export const acceptInvitation = write(
  async (db: Db, digest: string, userId: number, now: number): Promise<string | null> => {
    const found = await findInvitation(db, digest, now)
    if (!found) return null
    const used = await db.sql
      .deleteFrom('invitations')
      .where('digest', '=', digest)
      .returning(ENDED_INVITATION)
      .execute()
    // Another request was faster: an invitation works once.
    if (used.length === 0) return null
    await recordEndedInvitations(db, used, now)
    const member = await db.sql
      .selectFrom('members')
      .select('role')
      .where('project_id', '=', found.project.id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    // A member keeps their role.
    if (!member) await putMember(db, { projectId: found.project.id, userId, role: found.role, now })
    return found.project.uuid
  },
)

/** Withdraws an invitation. Returns whether there was one. */
export const removeInvitation = write(
  async (db: Db, projectId: number, uuid: string, now: number): Promise<boolean> => {
    const removed = await db.sql
      .deleteFrom('invitations')
      .where('project_id', '=', projectId)
      .where('uuid', '=', uuid)
      .returning(ENDED_INVITATION)
      .execute()
    await recordEndedInvitations(db, removed, now)
    return removed.length > 0
  },
)
