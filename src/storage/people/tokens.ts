/** Tokens that work once. Only digests are stored. */

import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { lockAccountInSession, type OwnSession } from './lock-account.js'

/** The purpose of a token; it works for no other. */
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
  /** The person it belongs to; null if there is no account yet. */
  userId: number | null
  /** The address that it confirms, or null. */
  email: string | null
  expiresAt: number
  /**
   * The digest of a secret of the browser that requested it; the browser's next token replaces it. Absent:
   * not requested by a browser.
   */
  browser?: string | null
  /** The digest of the invitation that it belongs to, and ends with. */
  invitation?: string | undefined
  /** The session that asks for it; absent: nobody has to be signed in. */
  asker?: OwnSession | undefined
}

export interface TokenSubject {
  userId: number | null
  email: string | null
}

/** Adds a token. */
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

/** Records that a token is used up which was never stored, because it is signed. Returns whether it was unused until now. */
export const useToken = write(async (db: Db, token: NewStoredToken): Promise<boolean> => {
  const { digest, purpose, userId, email, expiresAt } = token
  const { numInsertedOrUpdatedRows } = await db.sql
    .insertInto('tokens')
    .values({ digest, purpose, user_id: userId, email, expires_at: expiresAt })
    .onConflict(on => on.column('digest').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
})

/**
 * Stores a token in place of those for the same purpose, the same person (or, without one, the same address and
 * invitation) and the same browser. So a stranger's request ends no link that another person waits for. Throws a `Refusal` if the
 * session that asks has ended: what ended it ended such tokens, too.
 */
export const replaceToken = write(async (db: Db, token: NewStoredToken): Promise<void> => {
  if (token.asker) await lockAccountInSession(db, token.asker)
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

/** The subject of a token, without using it up; null if it is unknown, for another purpose, or expired. */
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

/** Uses up a token and returns its subject; null as for {@link findToken}. */
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

/** The account that a sign-in link opens, and the address that its holder proves. */
interface OpenedByLink {
  userId: number
  email: string
  /** When the link was used up: whatever ends the account's sign-ins later ends this one. */
  credentialsVersion: number
}

/**
 * Uses up a sign-in link and returns the account that it opens, with the address that its holder proves: the one to
 * which it was sent; for the operator's link, which names none, the account's when the link was used up. Null as for
 * {@link findToken}.
 */
export const takeSignInLink = write(
  async (db: Db, digest: string, now: number): Promise<OpenedByLink | null> => {
    const token = await takeToken(db, digest, 'sign-in', now)
    if (token?.userId == null) return null
    const user = await db.sql
      .selectFrom('users')
      .select(['email', 'credentials_version as credentialsVersion'])
      .where('id', '=', token.userId)
      .executeTakeFirstOrThrow()
    return { userId: token.userId, ...user, email: token.email ?? user.email }
  },
)
