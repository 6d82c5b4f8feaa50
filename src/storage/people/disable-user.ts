/** What the operator does to an account by command. */

import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { holdProjectsOf } from '../projects/hold-project.js'
import { holdAccount } from './hold-account.js'

/** Ends every session, link and sign-in under way of a person. Returns how many sessions there were. */
export const endSignIns = write(async (db: Db, userId: number): Promise<number> => {
  await db.sql
    .updateTable('users')
    .set(eb => ({ credentials_version: eb('credentials_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await db.sql.deleteFrom('tokens').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await db.sql
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
})

/**
 * Keeps a person out from `since` (ms UTC) on, which ends their sessions, the invitations that they made and, as it ends their
 * credentials, their offers; null lets them in again.
 */
export const setDisabled = write(async (db: Db, userId: number, since: number | null): Promise<void> => {
  await db.sql.updateTable('users').set({ disabled_at: since }).where('id', '=', userId).execute()
  if (since === null) return
  await endSignIns(db, userId)
  await db.sql.deleteFrom('invitations').where('inviter_id', '=', userId).execute()
})

/**
 * Makes one person the owner of all projects of another, whose invitations to them and offers of them end. Returns how many
 * there were. Throws a `Refusal` where the new owner is disabled.
 */
export const handProjects = write(async (db: Db, fromId: number, toId: number): Promise<number> => {
  await holdProjectsOf(db, fromId)
  const heir = await holdAccount(db, toId)
  if (heir?.disabledAt != null)
    throw new Refusal('conflict', 'the new owner is disabled: `user enable` lets them in')
  await db.sql
    .deleteFrom('members')
    .where('user_id', '=', toId)
    .where('project_id', 'in', eb => eb.selectFrom('projects').select('id').where('owner_id', '=', fromId))
    .execute()
  await db.sql
    .deleteFrom('invitations')
    .where('inviter_id', '=', fromId)
    .where('project_id', 'in', eb => eb.selectFrom('projects').select('id').where('owner_id', '=', fromId))
    .execute()
  const { numUpdatedRows } = await db.sql
    .updateTable('projects')
    .set({ owner_id: toId })
    .where('owner_id', '=', fromId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
})
