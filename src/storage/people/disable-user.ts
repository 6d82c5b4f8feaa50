/** What the operator's commands do to an account. */

import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { poll, write } from '../method.js'
import { endGrants } from '../projects/end-grants.js'
import { lockProjectsOf } from '../projects/lock-project.js'
import { recordProject } from '../projects/record-members.js'
import { endCredentials } from './end-credentials.js'
import { lockAccount } from './lock-account.js'
import { handOverNotices } from './mails.js'
import { deleteUser } from './users.js'

/**
 * Ends every session, link, API token and sign-in under way of a person, and what lets others into projects in their
 * name. Returns the number of sessions.
 */
export const endSignIns = write(async (db: Db, userId: number, now: number): Promise<number> => {
  await db.sql
    .updateTable('users')
    .set(eb => ({ credentials_version: eb('credentials_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  return (await endCredentials(db, { userId, end: 'sign-out', now })).sessions
})

/**
 * Disables a person from `since` (ms UTC) on; null enables them again. Disabling ends what
 * {@link endSignIns} does and, because their credentials end, their offers of projects.
 */
export const setDisabled = write(async (db: Db, userId: number, since: number | null): Promise<void> => {
  await db.sql.updateTable('users').set({ disabled_at: since }).where('id', '=', userId).execute()
  if (since === null) return
  await endSignIns(db, userId, since)
})

/**
 * Marks an account as being closed. From `now` (ms UTC) on it is disabled, so that the person gets nothing more into it.
 */
export const beginClosing = write(async (db: Db, userId: number, now: number): Promise<void> => {
  await setDisabled(db, userId, now)
  await db.sql.updateTable('users').set({ closing: 1 }).where('id', '=', userId).execute()
})

/** The IDs of the accounts that are being closed. */
export const closingAccounts = poll(async (db: Db): Promise<number[]> => {
  const rows = await db.sql.selectFrom('users').select('id').where('closing', '=', 1).execute()
  return rows.map(({ id }) => id)
})

/**
 * Makes one person the owner of all projects of another, whose invitations, offers and tokens that manage
 * members end there. Returns the
 * number of projects. Projects that are being deleted stay. Throws a `Refusal` if the new owner is disabled or gone.
 */
export const handProjects = write(
  async (db: Db, fromId: number, toId: number, now: number): Promise<number> => {
    await lockProjectsOf(db, fromId)
    const newOwner = await lockAccount(db, toId)
    if (!newOwner) throw new Refusal('not-found', 'the new owner closed their account')
    if (newOwner.disabledAt !== null)
      throw new Refusal('conflict', 'the new owner is disabled: `user enable` lets them in')
    // Whoever gives them away may be making another one.
    await lockAccount(db, fromId)
    await db.sql
      .deleteFrom('members')
      .where('user_id', '=', toId)
      .where('project_id', 'in', eb => eb.selectFrom('projects').select('id').where('owner_id', '=', fromId))
      .execute()
    const handed = await db.sql
      .updateTable('projects')
      .set({ owner_id: toId })
      .where('owner_id', '=', fromId)
      .where('deleting', '=', 0)
      .returning('id')
      .execute()
    const [before, after] = [await addressOf(db, fromId), await addressOf(db, toId)]
    for (const { id } of handed) {
      await handOverNotices(db, { projectId: id, fromId, toId })
      await endGrants(db, { projectId: id, userId: fromId }, now)
      await recordProject(db, id, { before: { owner: before }, after: { owner: after } }, now)
    }
    return handed.length
  },
)

/**
 * Deletes an account and gives its projects to another, all or nothing. Returns the number of projects. Throws a `Refusal` as
 * {@link handProjects} does, and while a project of the account is being deleted.
 */
export const deleteUserTo = write(
  async (db: Db, userId: number, toId: number, now: number): Promise<number> => {
    const given = await handProjects(db, userId, toId, now)
    if (!(await deleteUser(db, userId, now))) {
      throw new Refusal('conflict', 'a project of the user is being deleted: try again when it is gone')
    }
    return given
  },
)

async function addressOf(db: Db, userId: number): Promise<string | null> {
  const row = await db.sql.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}
