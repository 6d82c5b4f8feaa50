import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { lockAccountInSession, type OwnSession } from './lock-account.js'
import { dropIdleCodes } from './recovery-codes.js'

/** A passkey as its owner sees it. */
export interface PasskeySummary {
  uuid: string
  name: string
  createdAt: number
  usedAt: number | null
}

/** The facts needed to check the answer of a passkey. */
export interface Passkey {
  /** Base64url. */
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: string[]
}

/** Stores a passkey. Throws a `Refusal` if it is in use already or the session has ended. */
export const addPasskey = write(
  async (db: Db, passkey: Passkey & OwnSession & { name: string; now: number }): Promise<void> => {
    await lockAccountInSession(db, passkey)
    const row = await db.sql
      .insertInto('passkeys')
      .values({
        uuid: randomUUID(),
        user_id: passkey.userId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: passkey.transports.join(','),
        name: passkey.name,
        created_at: passkey.now,
        used_at: null,
      })
      .onConflict(oc => oc.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) throw new Refusal('conflict', 'this passkey is in use already')
  },
)

/** The passkeys of a person, oldest first. */
export const listPasskeys = read(async (db: Db, userId: number): Promise<PasskeySummary[]> => {
  return await db.sql
    .selectFrom('passkeys')
    .select(['uuid', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
})

/** The passkeys of a person, with what is needed to check their answers. */
export const findPasskeys = read(async (db: Db, userId: number): Promise<Passkey[]> => {
  const rows = await db.sql
    .selectFrom('passkeys')
    .select(['credential_id', 'public_key', 'counter', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(','),
  }))
})

/**
 * Records that a passkey of a person was used, and its counter. Returns false if it was removed in the meantime, or has
 * been used as often as this: then there may be a copy of it. Source: W3C, Web Authentication 2, “Signature Counter”.
 */
export const notePasskeyUse = write(
  async (
    db: Db,
    use: { userId: number; credentialId: string; counter: number; now: number },
  ): Promise<boolean> => {
    const { numUpdatedRows } = await db.sql
      .updateTable('passkeys')
      .set({ counter: use.counter, used_at: use.now })
      .where('user_id', '=', use.userId)
      .where('credential_id', '=', use.credentialId)
      // Some authenticators do not count.
      .where(eb => (use.counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', use.counter)))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) > 0
  },
)

/** Deletes a passkey of a person. Returns whether there was one. */
export const removePasskey = write(async (db: Db, userId: number, uuid: string): Promise<boolean> => {
  const { numDeletedRows } = await db.sql
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  await dropIdleCodes(db, userId)
  return Number(numDeletedRows) > 0
})
