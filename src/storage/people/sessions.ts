import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import { SESSION_MS, SESSION_PROOF_MS } from '../../core/people/session.js'
import type { Theme } from '../../core/people/theme.js'
import type { Db } from '../db.js'
import { read, readWithoutSnapshot, write } from '../method.js'
import { newId } from '../new-id.js'
import { prepared } from '../prepared.js'
import { lockAccount, lockAccountInSession, type OwnSession, refuseDisabled } from './lock-account.js'

/** A signed-in person, with the preferences for pages. */
export interface SignedInUser {
  id: number
  uuid: string
  email: string
  /** Whether they have proven that they read the address's mail. */
  emailProven: boolean
  /** Whether they still have to see who else has access to their account. */
  toReview: boolean
  timezone: string
  theme: Theme
}

/** A signed-in person and the session. */
export interface SignedIn {
  /** The session's UUID. */
  sessionId: string
  /** When the person last proved their identity; sensitive changes need this to be recent. */
  provedAt: number
  seenAt: number
  /** How the session began: `password`, `link`, `proxy`, `openid`. */
  method: string
  user: SignedInUser
}

export interface NewSession {
  digest: string
  userId: number
  /** The account's version when the sign-in began. */
  credentialsVersion: number
  method: string
  ua: string
  address: string | null
  now: number
}

/** A session in a person's list. */
export interface SessionSummary {
  uuid: string
  method: string
  ua: string
  address: string | null
  createdAt: number
  seenAt: number
}

/**
 * Begins a session, and deletes expired sessions, tokens, invitations and full rate limits. Throws a `Refusal` if the
 * account is disabled or its credentials have ended since the sign-in began.
 */
export const openSession = write(async (db: Db, session: NewSession): Promise<void> => {
  const { now } = session
  const account = await lockAccount(db, session.userId)
  refuseDisabled(account)
  if (account?.credentialsVersion !== session.credentialsVersion) {
    throw new Refusal('unauthorized', 'the account was changed in the meantime: sign in again')
  }
  for (const table of ['sessions', 'tokens', 'invitations'] as const) {
    await db.sql.deleteFrom(table).where('expires_at', '<=', now).execute()
  }
  await db.sql.deleteFrom('rate_limits').where('full_at', '<=', now).execute()
  await db.sql
    .insertInto('sessions')
    .values({
      ...(await newId(db, 'sessions')),
      uuid: randomUUID(),
      digest: session.digest,
      user_id: session.userId,
      method: session.method,
      ua: session.ua,
      address: session.address,
      created_at: now,
      seen_at: now,
      proved_at: now,
      expires_at: now + SESSION_MS,
    })
    .execute()
})

/** The session with this digest, or null if there is none, it has expired, or the account is disabled. */
export const findSession = readWithoutSnapshot(
  async (db: Db, digest: string, now: number): Promise<SignedIn | null> => {
    const [row] = await withDigest.all(db, { digest, now })
    if (!row) return null
    const { sessionId, provedAt, seenAt, method, provenAt, to_review, ...user } = row
    const account = { ...user, emailProven: provenAt !== null, toReview: to_review === 1 }
    return { sessionId, provedAt, seenAt, method, user: account }
  },
)

const withDigest = prepared((sql, value: { digest: string; now: number }) =>
  sql
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.uuid as sessionId', 's.proved_at as provedAt', 's.seen_at as seenAt', 's.method'])
    .select(['u.id', 'u.uuid', 'u.email', 'u.timezone', 'u.theme'])
    .select(['u.email_proven_at as provenAt', 'u.to_review'])
    .where('s.digest', '=', value.digest)
    .where('s.expires_at', '>', value.now)
    .where('u.disabled_at', 'is', null),
)

/** Records that a session was used now, which extends it as far as its last proof of identity allows. */
export const touchSession = write(
  async (db: Db, { sessionId, provedAt, user }: SignedIn, now: number): Promise<void> => {
    await db.sql
      .updateTable('sessions')
      .set({ seen_at: now, expires_at: Math.min(now + SESSION_MS, provedAt + SESSION_PROOF_MS) })
      .where('uuid', '=', sessionId)
      .where('user_id', '=', user.id)
      .execute()
  },
)

/**
 * Records that the person has just proven their identity, and gives the session a new token. Throws a
 * `Refusal` if it has ended.
 */
export const proveSession = write(
  async (
    db: Db,
    { userId, sessionId, digest, now }: OwnSession & { digest: string; now: number },
  ): Promise<void> => {
    await lockAccountInSession(db, { userId, sessionId })
    await db.sql
      .updateTable('sessions')
      .set({ digest, proved_at: now })
      .where('uuid', '=', sessionId)
      .where('user_id', '=', userId)
      .execute()
  },
)

/** The current sessions of a person, the most recently used first. */
export const listSessions = read(async (db: Db, userId: number, now: number): Promise<SessionSummary[]> => {
  return await db.sql
    .selectFrom('sessions')
    .select(['uuid', 'method', 'ua', 'address', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
})

/** Ends the session with this UUID, if it is this person's. Returns whether there was one. */
export const closeSession = write(async (db: Db, userId: number, uuid: string): Promise<boolean> => {
  const { numDeletedRows } = await db.sql
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
})

/** Ends a session that somebody else may have used, and links to a new address, for which it may have asked. Returns whether there was one. */
export const revokeSession = write(async (db: Db, userId: number, uuid: string): Promise<boolean> => {
  await endAddressLinks(db, userId)
  return await closeSession(db, userId, uuid)
})

/**
 * Ends the sessions of a person except the one with the UUID `except` (null: all), and links to a new address, for which any of them may
 * have asked. Returns the number of sessions.
 */
export const closeSessions = write(async (db: Db, userId: number, except: string | null): Promise<number> => {
  await endAddressLinks(db, userId)
  let query = db.sql.deleteFrom('sessions').where('user_id', '=', userId)
  if (except !== null) query = query.where('uuid', '!=', except)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
})

async function endAddressLinks(db: Db, userId: number): Promise<void> {
  await db.sql
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'change-email')
    .execute()
}
