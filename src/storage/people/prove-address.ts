/**
 * Who reads the mail of an account's address. What counts as proof is decided in actions/people/hand-over-account.ts; what follows
 * from a first proof is decided here. Source: decision 0105.
 */

import type { Db } from '../db.js'
import { read, write } from '../method.js'

/** What an account had before its address was proven, and has no more; and what stays with others. */
export interface EndedCredentials {
  password: boolean
  app: boolean
  passkeys: number
  identities: number
  sessions: number
  /** Members, invitations and API keys of the account's projects: they do not end, and whoever it is now looks at them. */
  othersAccess: number
}

/** When the present address of an account was proven; null: not yet, undefined: no account has this UUID. */
export const addressProvenAt = read(async (db: Db, userUuid: string): Promise<number | null | undefined> => {
  const row = await db.sql
    .selectFrom('users')
    .select('email_proven_at as at')
    .where('uuid', '=', userUuid)
    .executeTakeFirst()
  return row?.at
})

/**
 * Hands an account to the person who has just proved, from outside, that they read the mail of `email`. Where nobody
 * had proved that before, whoever made the account may be somebody else, so every credential ends, and offers of its projects with them; null
 * where the address was proven already, or is not the account's any more, and where the account is disabled.
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
    const ended = { passkeys: 0, identities: 0, sessions: 0, othersAccess: 0 }
    for (const table of ['passkeys', 'identities', 'sessions'] as const) {
      const { numDeletedRows } = await db.sql
        .deleteFrom(table)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      ended[table] = Number(numDeletedRows)
    }
    await db.sql.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await db.sql.deleteFrom('tokens').where('user_id', '=', userId).execute()
    // To the account's own projects they are shown to the person, as all access of others; to those of others nobody would see them.
    await db.sql
      .deleteFrom('invitations')
      .where('inviter_id', '=', userId)
      .where('project_id', 'not in', projectsOf(db, userId))
      .execute()
    for (const table of ['members', 'invitations', 'api_keys'] as const) {
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
