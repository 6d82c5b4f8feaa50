import { randomUUID } from 'node:crypto'
import { Refusal } from '../core/errors.js'
import type { Db } from './db.js'

export interface User {
  id: number
  uuid: string
  email: string
}

/** Makes a user. Throws a `Refusal` when the address (lower case) is taken. */
export async function createUser(
  db: Db,
  user: { email: string; passwordHash: string | null; now: number },
): Promise<User> {
  const uuid = randomUUID()
  const row = await db.sql
    .insertInto('users')
    .values({ uuid, email: user.email, password_hash: user.passwordHash, created_at: user.now })
    .onConflict(oc => oc.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Refusal('conflict', `there is a user with the address ${user.email} already`)
  return { id: row.id, uuid, email: user.email }
}

/** The user with this address (lower case), or null. */
export async function findUser(db: Db, email: string): Promise<User | null> {
  const row = await db.sql
    .selectFrom('users')
    .select(['id', 'uuid', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ?? null
}
