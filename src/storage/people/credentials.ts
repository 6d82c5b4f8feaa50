/** A person's password and authenticator app. */

import type { Db } from '../db.js'
import { write } from '../method.js'
import { endCredentials } from './end-credentials.js'
import { lockAccountInSession, type OwnSession } from './lock-account.js'
import { dropIdleCodes } from './recovery-codes.js'

/** A new password, set in a session. */
export interface NewPassword extends OwnSession {
  passwordHash: string
  /** The digest of the session's new token; the session continues. */
  digest: string
  /** Whether the password before was lost. */
  recovers: boolean
  now: number
}

/**
 * Sets a password, gives the session a new token and ends the person's other sessions, and what else a new password
 * or a recovery ends. Throws a `Refusal` if the session has ended.
 */
export const setPassword = write(async (db: Db, given: NewPassword): Promise<void> => {
  const { userId, sessionId } = given
  await lockAccountInSession(db, { userId, sessionId })
  await db.sql
    .updateTable('users')
    .set(eb => ({
      password_hash: given.passwordHash,
      credentials_version: eb('credentials_version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()
  await db.sql
    .updateTable('sessions')
    .set({ digest: given.digest })
    .where('uuid', '=', sessionId)
    .where('user_id', '=', userId)
    .execute()
  const end = given.recovers ? 'recovery' : 'new-password'
  await endCredentials(db, { userId, end, keep: sessionId, now: given.now })
})

/**
 * Replaces an imported hash of a person's password by one of our own for the same password, unless the password was
 * changed in the meantime. Nothing ends by it.
 */
export const renewPasswordHash = write(
  async (db: Db, userId: number, stored: string, renewed: string): Promise<void> => {
    await db.sql
      .updateTable('users')
      .set({ password_hash: renewed })
      .where('id', '=', userId)
      .where('password_hash', '=', stored)
      .execute()
  },
)

/** Stores the sealed secret of a person's authenticator app. Throws a `Refusal` if the session has ended. */
export const setTotp = write(
  async (db: Db, { userId, sessionId, secret }: OwnSession & { secret: string }): Promise<void> => {
    await lockAccountInSession(db, { userId, sessionId })
    await db.sql
      .updateTable('users')
      .set({ totp_secret: secret, totp_step: null })
      .where('id', '=', userId)
      .execute()
  },
)

/** Replaces the sealed form of a secret, unless the secret was changed in the meantime. */
export const resealTotp = write(
  async (db: Db, userId: number, stored: string, sealed: string): Promise<void> => {
    await db.sql
      .updateTable('users')
      .set({ totp_secret: sealed })
      .where('id', '=', userId)
      .where('totp_secret', '=', stored)
      .execute()
  },
)

/** Removes a person's authenticator app. */
export const removeTotp = write(async (db: Db, userId: number): Promise<void> => {
  await db.sql
    .updateTable('users')
    .set({ totp_secret: null, totp_step: null })
    .where('id', '=', userId)
    .execute()
  await dropIdleCodes(db, userId)
})

/** Stores the time step of a code; false if it, or a later one, was used before. */
export const takeTotpStep = write(async (db: Db, userId: number, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await db.sql
    .updateTable('users')
    .set({ totp_step: step })
    .where('id', '=', userId)
    .where(eb => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
})
