/** Secrets that work once. Only digests are kept. */

import type { Db } from '../db.js'
import { read, write } from '../method.js'

/** What a token is for; one made for one purpose is of no use for another. */
export type TokenPurpose =
  | 'first-account'
  | 'sign-up'
  | 'sign-in'
  | 'change-email'
  | 'passkey'
  | 'openid'
  | 'set-up'
  | 'invited'

export interface NewStoredToken {
  digest: string
  purpose: TokenPurpose
  /** Whose it is; null where there is no account yet. */
  userId: number | null
  /** The address that it confirms, or null. */
  email: string | null
  expiresAt: number
  /** The digest of a secret of the browser that asked for it, whose next one takes its place; left out: none asked. */
  browser?: string | null
  /** The digest of the invitation with which alone it is good; it ends with that. */
  invitation?: string | undefined
}

/** What a token stands for. */
export interface TokenSubject {
  userId: number | null
  email: string | null
}

/** Stores a token beside those that there are. */
export const addToken = write(async (db: Db, token: NewStoredToken): Promise<void> => {
  await db.sql
    .insertInto('tokens')
    .values({
      digest: token.digest,
      purpose: token.purpose,
      user_id: token.userId,
      email: token.email,
      expires_at: token.expiresAt,
      browser: token.browser ?? null,
      ...(token.invitation === undefined ? {} : { invitation_id: invitationId(db, token.invitation) }),
    })
    .execute()
})

/**
 * Stores a token in place of those for the same purpose, the same person (or, without one, address and invitation) and the same browser:
 * a stranger's request ends no link that somebody else waits for.
 */
export const replaceToken = write(async (db: Db, token: NewStoredToken): Promise<void> => {
  await db.sql
    .deleteFrom('tokens')
    .where('purpose', '=', token.purpose)
    .where('browser', token.browser == null ? 'is' : '=', token.browser ?? null)
    .where('user_id', token.userId === null ? 'is' : '=', token.userId)
    .$if(token.userId === null, query => query.where('email', token.email === null ? 'is' : '=', token.email))
    .$if(token.invitation !== undefined, query =>
      query.where('invitation_id', '=', invitationId(db, token.invitation!)),
    )
    .execute()
  await addToken(db, token)
})

function invitationId(db: Db, digest: string) {
  return db.sql.selectFrom('invitations').select('id').where('digest', '=', digest)
}

/** What a token stands for, without using it up; null for one that is unknown, of another purpose or too old. */
export const findToken = read(
  async (db: Db, digest: string, purpose: TokenPurpose, now: number): Promise<TokenSubject | null> => {
    const row = await db.sql
      .selectFrom('tokens')
      .select(['user_id as userId', 'email'])
      .where('digest', '=', digest)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row ?? null
  },
)

/** What a token stands for, which it does from now on no more; null as above. */
export const takeToken = write(
  async (db: Db, digest: string, purpose: TokenPurpose, now: number): Promise<TokenSubject | null> => {
    const row = await db.sql
      .deleteFrom('tokens')
      .where('digest', '=', digest)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .returning(['user_id as userId', 'email'])
      .executeTakeFirst()
    return row ?? null
  },
)
