import { Refusal } from '../../core/errors.js'
import { type MemberRole, may, type Role } from '../../core/people/role.js'
import type { Db } from '../db.js'
import { deleteWebhooksOfOwner } from '../events/webhooks.js'
import { read, write } from '../method.js'
import { recordRevoked } from './api-keys.js'
import { REVOKED_TOKEN, recordRevokedTokens } from './api-tokens.js'
import { endGrants } from './end-grants.js'
import { type Author, lockAuthor } from './lock-author.js'
import { lockProjectsOf } from './lock-project.js'
import { findOffer } from './offers.js'
import { ENDED_INVITATION, recordEndedInvitations, recordMember } from './record-members.js'

/** The owner or a member of a project. */
export interface Member {
  uuid: string
  email: string
  role: Role
  /** When the owner offered the project to this member; null if there is no offer. */
  transferRequestedAt: number | null
}

/** The owner of a project, then its members by address. */
export const listMembers = read(async (db: Db, projectId: number): Promise<Member[]> => {
  const owner = await db.sql
    .selectFrom('projects as p')
    .innerJoin('users as u', 'u.id', 'p.owner_id')
    .select(['u.uuid', 'u.email'])
    .where('p.id', '=', projectId)
    .executeTakeFirst()
  const members = await db.sql
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.uuid', 'u.email', 'm.role'])
    .where('m.project_id', '=', projectId)
    .orderBy('u.email')
    .execute()
  const offer = await findOffer(db, projectId)
  return [
    ...(owner ? [{ ...owner, role: 'owner' as const, transferRequestedAt: null }] : []),
    ...members.map(({ id, ...member }) => ({
      ...member,
      transferRequestedAt: offer?.userId === id ? offer.requestedAt : null,
    })),
  ]
})

/**
 * The addresses of people in other projects of the owner who are not in this one; only the owner may see them.
 * Source: docs/behaviour.md, section 9.7.
 */
export const invitablePeople = read(async (db: Db, projectId: number): Promise<string[]> => {
  const rows = await db.sql
    .selectFrom('projects as this')
    .innerJoin('projects as other', 'other.owner_id', 'this.owner_id')
    .innerJoin('members as m', 'm.project_id', 'other.id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.email')
    .distinct()
    .where('this.id', '=', projectId)
    .where('m.user_id', 'not in', eb =>
      eb.selectFrom('members').select('user_id').where('project_id', '=', projectId),
    )
    .orderBy('u.email')
    .limit(MAX_SUGGESTED)
    .execute()
  return rows.map(({ email }) => email)
})

/** The maximum number of addresses that are suggested. */
const MAX_SUGGESTED = 100

/** Adds a member, or changes a member's role. The owner stays the owner. */
export const putMember = write(
  async (
    db: Db,
    member: { projectId: number; userId: number; role: MemberRole; now: number },
  ): Promise<void> => {
    const { projectId, userId, role } = member
    if (await isOwner(db, projectId, userId)) return
    const before = await roleOf(db, projectId, userId)
    await db.sql
      .insertInto('members')
      .values({ project_id: projectId, user_id: userId, role, created_at: member.now })
      .onConflict(oc => oc.columns(['project_id', 'user_id']).doUpdateSet({ role }))
      .execute()
    await recordMember(db, member, before, role, member.now)
    if (!may(role, 'manage')) await endGrants(db, { projectId, userId }, member.now)
  },
)

/** Whether this person owns the project. */
export async function isOwner(db: Db, projectId: number, userId: number): Promise<boolean> {
  const owned = await db.sql
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('owner_id', '=', userId)
    .executeTakeFirst()
  return owned !== undefined
}

/**
 * Changes the role of the member with this UUID; if they may no longer invite, their invitations end. Throws a
 * `Refusal` if they are not a member, or if `by` may not manage the project any more.
 */
export const setMemberRole = write(
  async (
    db: Db,
    projectId: number,
    userUuid: string,
    role: MemberRole,
    now: number,
    by?: Author,
  ): Promise<void> => {
    await lockAuthor(db, projectId, by, 'manage')
    const before = await db.sql
      .selectFrom('members')
      .select('role')
      .where('project_id', '=', projectId)
      .where('user_id', '=', idOf(db, userUuid))
      .executeTakeFirst()
    const member = await db.sql
      .updateTable('members')
      .set({ role })
      .where('project_id', '=', projectId)
      .where('user_id', '=', idOf(db, userUuid))
      .returning('user_id')
      .executeTakeFirst()
    if (!member || !before) throw notMember()
    await recordMember(db, { projectId, userId: member.user_id }, before.role, role, now)
    if (!may(role, 'manage')) await endGrants(db, { projectId, userId: member.user_id }, now)
  },
)

/** Who removes a member. `leaves`: it is the member. */
export interface MemberRemover {
  author: Author
  leaves: boolean
}

/**
 * Removes the member with this UUID from a project, and ends the invitations that they made or that were sent to their
 * address, one of which could bring them back. Throws a `Refusal` if they are not a member, or if `by` may not remove them any more.
 */
export const removeMember = write(
  async (db: Db, projectId: number, userUuid: string, now: number, by?: MemberRemover): Promise<void> => {
    await lockAuthor(db, projectId, by?.author, by?.leaves ? 'read' : 'manage')
    const member = await db.sql
      .deleteFrom('members')
      .where('project_id', '=', projectId)
      .where('user_id', '=', idOf(db, userUuid))
      .returning(['user_id', 'role'])
      .executeTakeFirst()
    if (!member) throw notMember()
    await recordMember(db, { projectId, userId: member.user_id }, member.role, null, now)
    await endGrants(db, { projectId, userId: member.user_id }, now)
    const invitations = await db.sql
      .deleteFrom('invitations')
      .where('project_id', '=', projectId)
      .where('email', '=', eb => eb.selectFrom('users').select('email').where('id', '=', member.user_id))
      .returning(ENDED_INVITATION)
      .execute()
    await recordEndedInvitations(db, invitations, now)
  },
)

async function roleOf(db: Db, projectId: number, userId: number): Promise<MemberRole | null> {
  const row = await db.sql
    .selectFrom('members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

function idOf(db: Db, userUuid: string) {
  return db.sql.selectFrom('users').select('id').where('uuid', '=', userUuid)
}

function notMember(): Refusal {
  return new Refusal('not-found', 'the project has no such member')
}

/**
 * Ends other people's access to a person's projects: members, invitations, API keys and tokens, offers, and event
 * webhooks, which send what happens to an address of whoever made them.
 */
export const endOthersAccess = write(async (db: Db, ownerId: number, now: number): Promise<void> => {
  await lockProjectsOf(db, ownerId)
  const owned = db.sql.selectFrom('projects').select('id').where('owner_id', '=', ownerId)
  // Before the members: who is accepting one is a member by then, or finds it gone.
  const invitations = await db.sql
    .deleteFrom('invitations')
    .where('project_id', 'in', owned)
    .returning(ENDED_INVITATION)
    .execute()
  await recordEndedInvitations(db, invitations, now)
  const members = await db.sql
    .deleteFrom('members')
    .where('project_id', 'in', owned)
    .returning(['project_id as projectId', 'user_id as userId', 'role'])
    .execute()
  for (const member of members) await recordMember(db, member, member.role, null, now)
  const keys = await db.sql
    .deleteFrom('api_keys')
    .where('project_id', 'in', owned)
    .returning(['hint', 'kind', 'project_id'])
    .execute()
  await recordRevoked(db, keys, now)
  const tokens = await db.sql
    .deleteFrom('api_tokens')
    .where('project_id', 'in', owned)
    .returning(REVOKED_TOKEN)
    .execute()
  await recordRevokedTokens(db, tokens, now)
  await deleteWebhooksOfOwner(db, ownerId, now)
})
