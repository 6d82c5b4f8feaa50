/** People's identities at OpenID Connect providers. */

import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { lockAccount, lockAccountInSession, type OwnSession, refuseDisabled } from './lock-account.js'
import type { User } from './users.js'

/** The account with this identity, or null. */
export const findByIdentity = read(async (db: Db, issuer: string, subject: string): Promise<User | null> => {
  const row = await db.sql
    .selectFrom('identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.uuid', 'u.email', 'u.credentials_version as credentialsVersion'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
})

/** An identity of an account, as its owner sees it. */
export interface Identity {
  issuer: string
  subject: string
  /** The address at the provider when it was last used; null if that was not recorded. */
  email: string | null
  createdAt: number | null
  usedAt: number | null
}

/** An identity, and the account that it is to open. */
export interface NotedIdentity {
  issuer: string
  subject: string
  userId: number
  /** The address by which the account was found. */
  accountEmail: string
  /** The account's version when it was found. */
  credentialsVersion: number
  /** The address at the provider. */
  email: string | null
  now: number
}

/** The identities of a person, oldest first. */
export const listIdentities = read(async (db: Db, userId: number): Promise<Identity[]> => {
  return await db.sql
    .selectFrom('identities')
    .select(['issuer', 'subject', 'email', 'created_at as createdAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('subject')
    .execute()
})

/**
 * Records that an identity opens this account and is used now; an identity stays with the account that it has.
 * Returns false, and does nothing, if the account has another address in the meantime, because it may not be the
 * person's, or if its credentials have ended, because this identity may have been one of them. Throws a `Refusal`
 * if the account is disabled.
 */
export const noteIdentity = write(async (db: Db, identity: NotedIdentity): Promise<boolean> => {
  const { issuer, subject, userId, accountEmail, email, now } = identity
  const locked = await lockAccount(db, userId)
  refuseDisabled(locked)
  if (locked?.credentialsVersion !== identity.credentialsVersion) return false
  const account = await db.sql.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (account?.email !== accountEmail) return false
  await db.sql
    .insertInto('identities')
    .values({ issuer, subject, user_id: userId, email, created_at: now, used_at: now })
    .onConflict(oc => oc.columns(['issuer', 'subject']).doUpdateSet({ email, used_at: now }))
    .execute()
  return true
})

/**
 * Removes an identity of a person, and ends what began through a provider: sign-ins under way, and sessions except
 * the calling one. Returns whether there was one. Throws a `Refusal` if that session has ended.
 */
export const removeIdentity = write(
  async (
    db: Db,
    { userId, sessionId }: OwnSession,
    { issuer, subject }: { issuer: string; subject: string },
  ): Promise<boolean> => {
    await lockAccountInSession(db, { userId, sessionId })
    const { numDeletedRows } = await db.sql
      .deleteFrom('identities')
      .where('user_id', '=', userId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) === 0) return false
    await db.sql
      .updateTable('users')
      .set(eb => ({ credentials_version: eb('credentials_version', '+', 1) }))
      .where('id', '=', userId)
      .execute()
    await db.sql
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('method', '=', 'openid')
      .where('uuid', '!=', sessionId)
      .execute()
    return true
  },
)
