import { Refusal } from '../core/errors.js'
import type { Db } from './db.js'
import { takeToken } from './tokens.js'
import { createUser, hasUsers, type User } from './users.js'

/** The first account, with the project that waited for it and its check, if there are such. */
export interface FirstAccount {
  user: User
  project: { id: number; uuid: string } | null
  check: { id: number; uuid: string } | null
}

/**
 * Makes the first account by the link that was printed at the start, and gives it the oldest project that
 * belongs to nobody. Throws a `Refusal` when the link is unknown or somebody has an account already.
 */
export async function createFirstAccount(
  db: Db,
  account: { digest: string; email: string; passwordHash: string; timezone: string | undefined; now: number },
): Promise<FirstAccount> {
  const token = await takeToken(db, account.digest, 'first-account', account.now)
  if (!token || (await hasUsers(db))) {
    throw new Refusal('not-found', 'this link has been used or has run out: the start of the program prints a new one while there is no account')
  }
  const user = await createUser(db, account)
  const project = await db.sql
    .selectFrom('projects')
    .select(['id', 'uuid'])
    .where('owner_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!project) return { user, project: null, check: null }
  await db.sql.updateTable('projects').set({ owner_id: user.id }).where('id', '=', project.id).execute()
  const check = await db.sql
    .selectFrom('checks')
    .select(['id', 'uuid'])
    .where('project_id', '=', project.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { user, project, check: check ?? null }
}
