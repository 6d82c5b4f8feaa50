import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Theme } from '../../core/people/theme.js'
import type { Db } from '../db.js'
import { poll, read, write } from '../method.js'
import { newId } from '../new-id.js'
import { holdAccountInSession, type OwnSession } from './hold-account.js'

export interface User {
  id: number
  uuid: string
  email: string
  /** Rises when credentials end; a sign-in that began before that is refused. */
  credentialsVersion: number
}

/** What is needed to let a person in. */
export interface SignInFacts extends User {
  passwordHash: string | null
  /** Whether the person has proved that they read the mail of the address. */
  emailProven: boolean
  /** Whether the operator keeps them out. */
  disabled: boolean
  /** The secret of the authenticator app, sealed; null for none. */
  totpSecret: string | null
  passkeys: number
  /** How many recovery codes are left. */
  recoveryCodes: number
}

/** An account to be made. */
export interface NewUser {
  email: string
  passwordHash: string | null
  /** Whether it is known that the person reads the mail of the address; not, unless it says so. */
  emailProven?: boolean
  /** An IANA name; UTC when it is left out. */
  timezone?: string | undefined
  now: number
}

/** Makes a user. Throws a `Refusal` when the address (lower case) is taken. */
export const createUser = write(async (db: Db, user: NewUser): Promise<User> => {
  const uuid = randomUUID()
  const row = await db.sql
    .insertInto('users')
    .values({
      ...(await newId(db, 'users')),
      uuid,
      email: user.email,
      password_hash: user.passwordHash,
      created_at: user.now,
      email_proven_at: user.emailProven ? user.now : null,
      ...(user.timezone === undefined ? {} : { timezone: user.timezone }),
    })
    .onConflict(oc => oc.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) {
    throw new Refusal('conflict', `there is a user with the address ${user.email} already`, 'email')
  }
  return { id: row.id, uuid, email: user.email, credentialsVersion: 0 }
})

/** The user with this address (lower case), or null. */
export const findUser = read(async (db: Db, email: string): Promise<User | null> => {
  const row = await db.sql
    .selectFrom('users')
    .select(['id', 'uuid', 'email', 'credentials_version as credentialsVersion'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ?? null
})

/** The user with this UUID, or null. */
export const findUserByUuid = read(async (db: Db, uuid: string): Promise<User | null> => {
  const row = await db.sql
    .selectFrom('users')
    .select(['id', 'uuid', 'email', 'credentials_version as credentialsVersion'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return row ?? null
})

/** Whether anybody has an account yet. */
export const hasUsers = poll(async (db: Db): Promise<boolean> => {
  return (await db.sql.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
})

/** Every user, by address. */
export const listUsers = read(async (db: Db) => {
  const rows = await db.sql
    .selectFrom('users as u')
    .select(['u.uuid', 'u.email', 'u.totp_secret', 'u.created_at as createdAt', 'u.disabled_at'])
    .select(eb => [
      eb
        .selectFrom('projects as p')
        .select(s => s.fn.countAll<number>().as('n'))
        .whereRef('p.owner_id', '=', 'u.id')
        .as('projects'),
      eb
        .exists(eb.selectFrom('passkeys as k').select('k.id').whereRef('k.user_id', '=', 'u.id'))
        .as('passkey'),
    ])
    .orderBy('u.email')
    .execute()
  return rows.map(({ totp_secret, passkey, projects, disabled_at, ...user }) => ({
    ...user,
    projects: Number(projects),
    secondStep: totp_secret !== null || Boolean(passkey),
    disabled: disabled_at !== null,
  }))
})

/** What lets the person with this address (lower case) or id in, or null. */
export const signInFacts = read(
  async (db: Db, who: { email: string } | { id: number }): Promise<SignInFacts | null> => {
    const query = db.sql
      .selectFrom('users as u')
      .select(['u.id', 'u.uuid', 'u.email', 'u.password_hash as passwordHash', 'u.totp_secret as totpSecret'])
      .select(['u.email_proven_at as provenAt', 'u.disabled_at as disabledAt'])
      .select('u.credentials_version as credentialsVersion')
      .select(eb =>
        eb
          .selectFrom('passkeys as k')
          .select(s => s.fn.countAll<number>().as('n'))
          .whereRef('k.user_id', '=', 'u.id')
          .as('passkeys'),
      )
      .select(eb =>
        eb
          .selectFrom('recovery_codes as r')
          .select(s => s.fn.countAll<number>().as('n'))
          .whereRef('r.user_id', '=', 'u.id')
          .as('recoveryCodes'),
      )
    const found = 'email' in who ? query.where('u.email', '=', who.email) : query.where('u.id', '=', who.id)
    const row = await found.executeTakeFirst()
    if (!row) return null
    const { provenAt, disabledAt, passkeys, recoveryCodes, ...facts } = row
    return {
      ...facts,
      emailProven: provenAt !== null,
      disabled: disabledAt !== null,
      passkeys: Number(passkeys ?? 0),
      recoveryCodes: Number(recoveryCodes ?? 0),
    }
  },
)

/** Sets the zone in which a person is told times, which plans their next report anew, and the look of their pages. */
export const setPreferences = write(
  async (db: Db, userId: number, preferences: { timezone: string; theme: Theme }): Promise<void> => {
    await db.sql
      .updateTable('users')
      .set({ next_report_at: null })
      .where('id', '=', userId)
      .where('timezone', '<>', preferences.timezone)
      .execute()
    await db.sql.updateTable('users').set(preferences).where('id', '=', userId).execute()
  },
)

/** A change of a person's address, and the session in which it was asked for. */
export interface AddressChange extends OwnSession {
  email: string
  /** When the person proved that they read the mail of the new address; null where they did not. */
  provenAt: number | null
}

/**
 * Changes a person's address; nothing is mailed to one that is not proven. With the address before end sign-ins under way,
 * the person's other sessions, which a reader of its mail may have begun, and the reports that wait to be sent there. Throws
 * a `Refusal` when the address is taken, and when the session has ended.
 */
export const setEmail = write(
  async (db: Db, { userId, sessionId, email, provenAt }: AddressChange): Promise<void> => {
    await holdAccountInSession(db, { userId, sessionId })
    const before = await db.sql
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const taken = await findUser(db, email)
    if (taken && taken.id !== userId) {
      throw new Refusal('conflict', `there is an account with ${email} already`, 'email')
    }
    await db.sql
      .updateTable('users')
      .set({ email, email_proven_at: provenAt })
      .where('id', '=', userId)
      .execute()
    // A link that went to the old address must not open the account any more.
    await db.sql.deleteFrom('tokens').where('user_id', '=', userId).execute()
    if (before.email === email) return
    await db.sql
      .updateTable('users')
      .set(eb => ({ credentials_version: eb('credentials_version', '+', 1) }))
      .where('id', '=', userId)
      .execute()
    await db.sql.deleteFrom('sessions').where('user_id', '=', userId).where('uuid', '!=', sessionId).execute()
    // They hold links that stop them, which are good for the address before.
    await db.sql.deleteFrom('mails').where('user_id', '=', userId).where('kind', '!=', 'notice').execute()
  },
)

/** The ids of the projects that a person owns. */
export const ownedProjectIds = read(async (db: Db, userId: number): Promise<number[]> => {
  const rows = await db.sql.selectFrom('projects').select('id').where('owner_id', '=', userId).execute()
  return rows.map(({ id }) => id)
})

/** Deletes a person who owns no project any more, with all that is theirs alone. */
export const deleteUser = write(async (db: Db, userId: number): Promise<void> => {
  await db.sql.deleteFrom('users').where('id', '=', userId).execute()
})
