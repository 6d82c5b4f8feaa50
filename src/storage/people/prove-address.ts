/**
 * What happens when an account's address is first proven. What counts as proof is decided in
 * actions/people/hand-over-account.ts. Source: decision 0105.
 */

import type { ExpressionBuilder } from 'kysely'
import { NEW_WISHES } from '../../core/reports/report.js'
import type { Db } from '../db.js'
import { forgetAccount } from '../import/brought.js'
import { read, write } from '../method.js'
import type { Tables } from '../tables.js'
import { endCredentials } from './end-credentials.js'

/** The credentials that ended when an account's address was proven, and the access that others still have. */
export interface EndedCredentials {
  password: boolean
  app: boolean
  passkeys: number
  identities: number
  sessions: number
  apiTokens: number
  /**
   * Members, invitations, keys, tokens and event webhooks of the account's projects, and the projects of others that it
   * is a member of: they do not end, but the person reviews them.
   */
  toReview: number
}

/** Whether anything ended that opened the account. */
export function hasEnded({ password, app, toReview: _, ...counted }: EndedCredentials): boolean {
  return password || app || Object.values(counted).some(count => count > 0)
}

/** Which account is handed over to the reader of which address, and when (ms UTC). */
interface HandedOver {
  userId: number
  email: string
  now: number
  /** Also if the operator has disabled it. */
  evenDisabled?: boolean
}

/**
 * Hands an account to the person who has just proven, from outside a session, that they read the mail of `email`.
 * If nobody had proven that before, another person may have created the account, so every credential ends, and so
 * does what lets others into projects in its name: offers, invitations, and tokens that manage members. The reports are
 * those of a new account, and imports no longer give it what its former person gains in Healthchecks. If a credential ended, others have access to its projects, or it is in projects of others, the person
 * has to review it (see {@link hasToReview}). Returns null if the address was already proven or is not the account's any more, and if the
 * account is disabled, unless `evenDisabled`: then it stays so.
 */
export const handOverAccount = write(
  async (
    db: Db,
    { userId, email, now, evenDisabled = false }: HandedOver,
  ): Promise<EndedCredentials | null> => {
    const before = await db.sql
      .selectFrom('users')
      .select(['password_hash', 'totp_secret', 'imported_name'])
      .where(unproven(userId, email, evenDisabled))
      .executeTakeFirst()
    if (!before) return null
    const { numUpdatedRows } = await db.sql
      .updateTable('users')
      .set(eb => ({
        email_proven_at: now,
        credentials_version: eb('credentials_version', '+', 1),
        password_hash: null,
        totp_secret: null,
        totp_step: null,
        reports: NEW_WISHES.reports,
        nag_s: NEW_WISHES.nagSeconds,
        next_report_at: null,
        next_nag_at: null,
      }))
      .where(unproven(userId, email, evenDisabled))
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return null
    // The person in Healthchecks has another address, unless the account has its own since it was imported.
    if (before.imported_name === null) await forgetAccount(db, userId)
    const { passkeys, identities, sessions, api_tokens } = await endCredentials(db, {
      userId,
      end: 'hand-over',
      now,
    })
    const toReview = (await countOthersAccess(db, userId)) + (await countMemberships(db, userId))
    const counted = { passkeys, identities, sessions, apiTokens: api_tokens, toReview }
    const ended = { password: before.password_hash !== null, app: before.totp_secret !== null, ...counted }
    if (hasEnded(ended) || toReview > 0) await setToReview(db, userId, 1)
    return ended
  },
)

/** Whether a person still has to see who else has access to an account that was handed over to them. */
export const hasToReview = read(async (db: Db, userId: number): Promise<boolean> => {
  const row = await db.sql.selectFrom('users').select('to_review').where('id', '=', userId).executeTakeFirst()
  return row?.to_review === 1
})

/** The person has seen who else has access to their account. */
export const endReview = write(async (db: Db, userId: number): Promise<void> => {
  if (await hasToReview(db, userId)) await setToReview(db, userId, 0)
})

async function setToReview(db: Db, userId: number, to_review: 0 | 1): Promise<void> {
  await db.sql.updateTable('users').set({ to_review }).where('id', '=', userId).execute()
}

async function countOthersAccess(db: Db, userId: number): Promise<number> {
  const own = db.sql.selectFrom('projects').select('id').where('owner_id', '=', userId)
  let found = 0
  for (const table of ['members', 'invitations', 'api_keys', 'api_tokens', 'event_webhooks'] as const) {
    const { n } = await db.sql
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('project_id', 'in', own)
      .executeTakeFirstOrThrow()
    found += Number(n)
  }
  return found
}

async function countMemberships(db: Db, userId: number): Promise<number> {
  const { n } = await db.sql
    .selectFrom('members')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The account, as long as it has this address and nobody has proven it. */
function unproven(userId: number, email: string, evenDisabled: boolean) {
  return (eb: ExpressionBuilder<Tables, 'users'>) =>
    eb.and([
      eb('id', '=', userId),
      eb('email', '=', email),
      eb('email_proven_at', 'is', null),
      ...(evenDisabled ? [] : [eb('disabled_at', 'is', null)]),
    ])
}
