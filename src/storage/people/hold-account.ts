import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { held } from '../locks.js'

/** What a sign-in that is under way has to find unchanged. */
interface HeldAccount {
  credentialsVersion: number
  disabledAt: number | null
}

/** A session of a person. It goes by its UUID, which no other session ever has. */
export interface OwnSession {
  userId: number
  sessionId: string
}

/** Holds an account until the transaction ends, so that its credentials change one at a time; null where it is gone. */
export async function holdAccount(db: Db, userId: number): Promise<HeldAccount | null> {
  const query = db.sql
    .selectFrom('users')
    .select(['credentials_version as credentialsVersion', 'disabled_at as disabledAt'])
    .where('id', '=', userId)
  return (await held(db, query).executeTakeFirst()) ?? null
}

/** Throws the `Refusal` of an account that the operator has disabled: nothing is written for it, nor mailed about it. */
export function refuseDisabled(account: HeldAccount | null): void {
  if (account?.disabledAt != null)
    throw new Refusal('unauthorized', 'this account is disabled: ask the operator')
}

/**
 * Holds an account for a request that changes its credentials. Throws a `Refusal` where the request's session ended while
 * the request was under way: what it sets must not outlive what ended the session.
 */
export async function holdAccountInSession(
  db: Db,
  { userId, sessionId }: OwnSession,
): Promise<Pick<HeldAccount, 'credentialsVersion'>> {
  const account = await holdAccount(db, userId)
  const session = await db.sql
    .selectFrom('sessions')
    .select('id')
    .where('uuid', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!account || !session)
    throw new Refusal('unauthorized', 'you were signed out in the meantime: sign in again')
  return account
}
