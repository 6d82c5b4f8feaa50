import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { lockedRows } from '../locks.js'

/** The state that must not change while a sign-in is under way. */
interface LockedAccount {
  credentialsVersion: number
  disabledAt: number | null
}

/** A session of a person, by its UUID, which no other session ever has. */
export interface OwnSession {
  userId: number
  sessionId: string
}

/** An API token of a person, by its UUID. */
export interface OwnToken {
  userId: number
  apiToken: string
}

/**
 * Locks an account until the transaction ends, so that its credentials change one at a time; null if it was deleted.
 */
export async function lockAccount(db: Db, userId: number): Promise<LockedAccount | null> {
  const query = db.sql
    .selectFrom('users')
    .select(['credentials_version as credentialsVersion', 'disabled_at as disabledAt'])
    .where('id', '=', userId)
  return (await lockedRows(db, query).executeTakeFirst()) ?? null
}

/** Throws a `Refusal` if the operator has disabled the account: nothing is written or mailed for it. */
export function refuseDisabled(account: LockedAccount | null): void {
  if (account?.disabledAt != null)
    throw new Refusal('unauthorized', 'this account is disabled: ask the operator')
}

/** The refusal of a request whose account was deleted while it was under way. */
export function accountDeleted(): Refusal {
  return new Refusal('unauthorized', 'this account was deleted')
}

/**
 * Locks an account for a request that changes its credentials. Throws a `Refusal` if the request's session ended,
 * or its token was revoked, while the request was under way: what it sets must not outlive whatever ended the session.
 */
export async function lockAccountInSession(
  db: Db,
  by: OwnSession | OwnToken,
): Promise<Pick<LockedAccount, 'credentialsVersion'>> {
  const account = await lockAccount(db, by.userId)
  const isValid = 'sessionId' in by ? await hasSession(db, by) : await hasToken(db, by)
  if (!account || !isValid)
    throw new Refusal('unauthorized', 'you were signed out in the meantime: sign in again')
  return account
}

async function hasSession(db: Db, { userId, sessionId }: OwnSession): Promise<boolean> {
  const session = await db.sql
    .selectFrom('sessions')
    .select('id')
    .where('uuid', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return session !== undefined
}

async function hasToken(db: Db, { userId, apiToken }: OwnToken): Promise<boolean> {
  const token = await db.sql
    .selectFrom('api_tokens')
    .select('id')
    .where('uuid', '=', apiToken)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return token !== undefined
}
