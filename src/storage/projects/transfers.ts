/** Giving a project to one of its members, who has to accept it. Source: docs/behaviour.md, section 9.7. */

import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import { accountCheckCount } from '../checks/checks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { endInvitationsOf } from './members.js'

/** Offers a project to the member with this UUID; an offer to somebody else ends. Throws when they are no member. */
export const offerTransfer = write(
  async (db: Db, projectId: number, userUuid: string, now: number): Promise<void> => {
    await cancelTransfer(db, projectId)
    const { numUpdatedRows } = await db.sql
      .updateTable('members')
      .set({ transfer_requested_at: now })
      .where('project_id', '=', projectId)
      .where('user_id', '=', db.sql.selectFrom('users').select('id').where('uuid', '=', userUuid))
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) throw new Refusal('not-found', 'the project has no such member')
  },
)

/** Ends the offer, whoever it was made to. */
export const cancelTransfer = write(async (db: Db, projectId: number): Promise<void> => {
  await db.sql
    .updateTable('members')
    .set({ transfer_requested_at: null })
    .where('project_id', '=', projectId)
    .execute()
})

/**
 * Makes the member whom the project was offered its owner, and the owner before a member, whose invitations end. Throws a `Refusal`
 * when there is no such offer or the new owner has no room for the project's checks.
 */
export const acceptTransfer = write(
  async (db: Db, projectId: number, userId: number, now: number): Promise<void> => {
    const { numDeletedRows } = await db.sql
      .deleteFrom('members')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('transfer_requested_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) === 0)
      throw new Refusal('not-found', 'this project is not offered to you any more')
    const project = await db.sql
      .selectFrom('projects')
      .select('owner_id as ownerId')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    await db.sql.updateTable('projects').set({ owner_id: userId }).where('id', '=', projectId).execute()
    const held = await accountCheckCount(db, projectId)
    if (held > db.settings.checkLimit) {
      const limit = db.settings.checkLimit
      throw new Refusal('limit', `your account would hold ${plural(held, 'check')}, and may hold ${limit}`)
    }
    if (project.ownerId !== null) {
      await db.sql
        .insertInto('members')
        .values({ project_id: projectId, user_id: project.ownerId, role: 'member', created_at: now })
        .execute()
      await endInvitationsOf(db, projectId, project.ownerId)
    }
  },
)
