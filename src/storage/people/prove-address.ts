/**
 * What happens when an account's address is first proven. What counts as proof is decided in
 * actions/people/hand-over-account.ts. Source: decision 0105.
 */

import type { Db } from '../db.js'
import { write } from '../method.js'
import { endCredentials } from './end-credentials.js'

/** The credentials that ended when an account's address was proven, and the access that others still have. */
export interface EndedCredentials {
  password: boolean
  app: boolean
  passkeys: number
  identities: number
  sessions: number
  apiTokens: number
  /** Members, invitations, keys, tokens and event webhooks of the account's projects: they do not end, but the person reviews them. */
  othersAccess: number
}

/**
 * Hands an account to the person who has just proven, from outside a session, that they read the mail of `email`.
 * If nobody had proven that before, another person may have created the account, so every credential ends, and so
 * does what lets others into projects in its name: offers, invitations, and tokens that manage members. Returns null if the address was already proven or is not the account's any more,
 * and if the account is disabled.
 */
export const handOverAccount = write(
  async (
    db: Db,
    { userId, email, now }: { userId: number; email: string; now: number },
  ): Promise<EndedCredentials | null> => {
    const before = await unproven(db, userId, email)
    if (!before) return null
    const { numUpdatedRows } = await db.sql
      .updateTable('users')
      .set(eb => ({
        email_proven_at: now,
        credentials_version: eb('credentials_version', '+', 1),
        password_hash: null,
        totp_secret: null,
        totp_step: null,
      }))
      .where('id', '=', userId)
      .where('email', '=', email)
      .where('email_proven_at', 'is', null)
      .where('disabled_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return null
    const { passkeys, identities, sessions, api_tokens } = await endCredentials(db, {
      userId,
      end: 'hand-over',
      now,
    })
    const ended = { passkeys, identities, sessions, apiTokens: api_tokens, othersAccess: 0 }
    for (const table of ['members', 'invitations', 'api_keys', 'api_tokens', 'event_webhooks'] as const) {
      const { n } = await db.sql
        .selectFrom(table)
        .select(eb => eb.fn.countAll<number>().as('n'))
        .where('project_id', 'in', projectsOf(db, userId))
        .executeTakeFirstOrThrow()
      ended.othersAccess += Number(n)
    }
    return { password: before.password_hash !== null, app: before.totp_secret !== null, ...ended }
  },
)

function projectsOf(db: Db, userId: number) {
  return db.sql.selectFrom('projects').select('id').where('owner_id', '=', userId)
}

async function unproven(db: Db, userId: number, email: string) {
  return await db.sql
    .selectFrom('users')
    .select(['password_hash', 'totp_secret'])
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('email_proven_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}
