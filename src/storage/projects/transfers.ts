/** Transfers a project to one of its members, who has to accept. Source: docs/behaviour.md, section 9.7. */
import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import { accountCheckCount } from '../checks/checks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { lockAccount, lockAccountInSession, type OwnSession } from '../people/lock-account.js'
import { lockProjectOwner } from './lock-project.js'
import { endInvitationsOf, isOwner } from './members.js'
import { findOffer } from './offers.js'

/**
 * Offers a project to the member with this UUID; an offer to another member ends. Throws a `Refusal` if they are not
 * a member or are disabled, and if the person who offers it does not own it or was signed out in the meantime.
 */
export const offerTransfer = write(
  async (
    db: Db,
    {
      projectId,
      memberUuid,
      by,
      now,
    }: { projectId: number; memberUuid: string; by: OwnSession; now: number },
  ): Promise<void> => {
    const { credentialsVersion } = await lockAccountInSession(db, by)
    if (!(await isOwner(db, projectId, by.userId)))
      throw new Refusal('forbidden', 'only the project’s owner may do this')
    await cancelTransfer(db, projectId)
    const { numUpdatedRows } = await db.sql
      .updateTable('members')
      .set({ transfer_requested_at: now, offered_by: by.userId, offered_version: credentialsVersion })
      .where('project_id', '=', projectId)
      .where('user_id', '=', eb =>
        eb.selectFrom('users').select('id').where('uuid', '=', memberUuid).where('disabled_at', 'is', null),
      )
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0)
      throw new Refusal('not-found', 'the project has no such member, or the operator has disabled them')
  },
)

/** Ends the offer of a project. */
export const cancelTransfer = write(async (db: Db, projectId: number): Promise<void> => {
  await db.sql
    .updateTable('members')
    .set({ transfer_requested_at: null, offered_by: null, offered_version: null })
    .where('project_id', '=', projectId)
    .execute()
})

/**
 * Makes the member who was offered the project its owner, and the former owner a member, whose invitations end.
 * Throws a `Refusal` if there is no such offer, or if the new owner would exceed their limit of checks.
 */
export const acceptTransfer = write(
  async (db: Db, projectId: number, userId: number, now: number): Promise<void> => {
    const ownerId = await lockOwner(db, projectId)
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
    if (ownerId === null) return
    await db.sql
      .insertInto('members')
      .values({ project_id: projectId, user_id: ownerId, role: 'member', created_at: now })
      .execute()
    await endInvitationsOf(db, projectId, ownerId)
  },
)

/** Locks a project and its owner's account until the transaction ends, so that the offer stays valid. */
async function lockOwner(db: Db, projectId: number): Promise<number | null> {
  const ownerId = (await lockProjectOwner(db, projectId)) ?? null
  if (ownerId !== null) await lockAccount(db, ownerId)
  return ownerId
}
