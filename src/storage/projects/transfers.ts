/** Transfers a project to one of its members, who has to accept. Source: docs/behaviour.md, section 9.7. */
import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import { accountCheckCount } from '../checks/checks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { lockAccount, lockAccountInSession, type OwnSession, type OwnToken } from '../people/lock-account.js'
import { handOverNotices } from '../people/mails.js'
import { endGrants } from './end-grants.js'
import { lockProjectOwner } from './lock-project.js'
import { isOwner } from './members.js'
import { findOffer } from './offers.js'
import { recordMember, recordProject } from './record-members.js'

/**
 * Offers a project to the member with this UUID; an offer to another member ends. Throws a `Refusal` if they are not
 * a member or are disabled, if the person who offers it does not own it or was signed out in the meantime, and if the
 * project is being deleted.
 */
export const offerTransfer = write(
  async (
    db: Db,
    {
      projectId,
      memberUuid,
      by,
      now,
    }: { projectId: number; memberUuid: string; by: OwnSession | OwnToken; now: number },
  ): Promise<void> => {
    const { credentialsVersion } = await lockAccountInSession(db, by)
    if (!(await isOwner(db, projectId, by.userId)))
      throw new Refusal('forbidden', 'only the project’s owner may do this')
    await cancelTransfer(db, projectId, now)
    const offered = await db.sql
      .updateTable('members')
      .set({ transfer_requested_at: now, offered_by: by.userId, offered_version: credentialsVersion })
      .where('project_id', '=', projectId)
      .where('user_id', '=', eb =>
        eb.selectFrom('users').select('id').where('uuid', '=', memberUuid).where('disabled_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst()
    if (!offered)
      throw new Refusal('not-found', 'the project has no such member, or the operator has disabled them')
    if (!(await findOffer(db, projectId)))
      throw new Refusal('conflict', 'the deletion of this project has begun')
    const after = { offered_to: await addressOf(db, offered.user_id) }
    await recordProject(db, projectId, { before: { offered_to: null }, after }, now)
  },
)

/** Who ends an offer: the project's owner, or the member who declines it. Each is a UUID. */
export type OfferEnder = { owner: string } | { to: string }

/**
 * Ends the offer of a project. Throws a `Refusal` if `by` does not own the project any more, or is not offered it any
 * more. Absent: nobody is asked.
 */
export const cancelTransfer = write(
  async (db: Db, projectId: number, now: number, by?: OfferEnder): Promise<void> => {
    const refused = new Refusal('forbidden', 'only the project’s owner may do this')
    if (by && 'owner' in by && !(await ownsProject(db, projectId, by.owner))) throw refused
    const to = by && 'to' in by ? by.to : null
    const ended = await db.sql
      .updateTable('members')
      .set({ transfer_requested_at: null, offered_by: null, offered_version: null })
      .where('project_id', '=', projectId)
      .where('transfer_requested_at', 'is not', null)
      .$if(to !== null, query => query.where('user_id', '=', idOf(db, to!)))
      .returning('user_id')
      .executeTakeFirst()
    if (!ended && to !== null) throw refused
    if (!ended) return
    const before = { offered_to: await addressOf(db, ended.user_id) }
    await recordProject(db, projectId, { before, after: { offered_to: null } }, now)
  },
)

/** Whether the person with this UUID owns the project, which stays so until the transaction ends. */
async function ownsProject(db: Db, projectId: number, uuid: string): Promise<boolean> {
  const ownerId = await lockProjectOwner(db, projectId)
  const owner = await idOf(db, uuid).executeTakeFirst()
  return owner !== undefined && owner.id === ownerId
}

function idOf(db: Db, userUuid: string) {
  return db.sql.selectFrom('users').select('id').where('uuid', '=', userUuid)
}

/**
 * Makes the member who was offered the project its owner, and the former owner a member, whose invitations end.
 * Throws a `Refusal` if there is no such offer, or if the new owner would exceed their limit of checks.
 */
export const acceptTransfer = write(
  async (db: Db, projectId: number, userId: number, now: number): Promise<void> => {
    const ownerId = await lockOwners(db, projectId, userId)
    if ((await findOffer(db, projectId))?.userId !== userId)
      throw new Refusal('not-found', 'this project is not offered to you any more')
    await db.sql
      .deleteFrom('members')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute()
    await db.sql.updateTable('projects').set({ owner_id: userId }).where('id', '=', projectId).execute()
    const held = await accountCheckCount(db, projectId)
    if (held > db.settings.checkLimit) {
      const limit = db.settings.checkLimit
      throw new Refusal('limit', `your account would hold ${plural(held, 'check')}, and may hold ${limit}`)
    }
    const before = { owner: ownerId === null ? null : await addressOf(db, ownerId) }
    await recordProject(db, projectId, { before, after: { owner: await addressOf(db, userId) } }, now)
    if (ownerId === null) return
    await db.sql
      .insertInto('members')
      .values({ project_id: projectId, user_id: ownerId, role: 'member', created_at: now })
      .onConflict(oc => oc.columns(['project_id', 'user_id']).doUpdateSet({ role: 'member' }))
      .execute()
    await recordMember(db, { projectId, userId: ownerId }, null, 'member', now)
    await handOverNotices(db, { projectId, fromId: ownerId, toId: userId })
    await endGrants(db, { projectId, userId: ownerId }, now)
  },
)

async function addressOf(db: Db, userId: number): Promise<string | null> {
  const row = await db.sql.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}

/**
 * Locks a project and the accounts of its owner and of the next one until the transaction ends, so that the offer stays
 * valid and no account is closed. Returns the owner.
 */
async function lockOwners(db: Db, projectId: number, nextId: number): Promise<number | null> {
  const ownerId = (await lockProjectOwner(db, projectId)) ?? null
  const accounts = ownerId === null ? [nextId] : [ownerId, nextId]
  for (const id of accounts.sort((a, b) => a - b)) await lockAccount(db, id)
  return ownerId
}
