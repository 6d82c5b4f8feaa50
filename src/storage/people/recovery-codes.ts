/** Recovery codes, which replace a lost second step. Each works once; only digests are stored. */

import type { Db } from '../db.js'
import { write } from '../method.js'
import { lockAccountInSession, type OwnSession } from './lock-account.js'

/** The second steps that were removed. */
export interface RemovedSecondStep {
  app: boolean
  passkeys: number
}

/** Replaces a person's recovery codes. Throws a `Refusal` if the session has ended. */
export const setRecoveryCodes = write(
  async (
    db: Db,
    { userId, sessionId, digests }: OwnSession & { digests: readonly string[] },
  ): Promise<void> => {
    await lockAccountInSession(db, { userId, sessionId })
    await db.sql.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await db.sql
      .insertInto('recovery_codes')
      .values(digests.map(digest => ({ user_id: userId, digest })))
      .execute()
  },
)

/** Uses up a code. Returns whether the person had it. */
export const takeRecoveryCode = write(async (db: Db, userId: number, digest: string): Promise<boolean> => {
  const { numDeletedRows } = await db.sql
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
})

/** Deletes a person's recovery codes if no second step is left. */
export async function dropIdleCodes(db: Db, userId: number): Promise<void> {
  await db.sql
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(eb =>
      eb.and([
        eb.not(eb.exists(eb.selectFrom('passkeys').select('id').where('user_id', '=', userId))),
        eb.not(
          eb.exists(
            eb.selectFrom('users').select('id').where('id', '=', userId).where('totp_secret', 'is not', null),
          ),
        ),
      ]),
    )
    .execute()
}

/** Removes every second step of a person, and returns what was removed. */
export const removeSecondStep = write(async (db: Db, userId: number): Promise<RemovedSecondStep> => {
  const app = await db.sql
    .updateTable('users')
    .set({ totp_secret: null, totp_step: null })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirstOrThrow()
  const passkeys = await db.sql.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirstOrThrow()
  await dropIdleCodes(db, userId)
  return { app: Number(app.numUpdatedRows) > 0, passkeys: Number(passkeys.numDeletedRows) }
})
