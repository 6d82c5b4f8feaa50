import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Theme } from '../../core/people/theme.js'
import type { Db } from '../db.js'
import { isDuplicate } from '../errors.js'
import { poll, read, write } from '../method.js'
import { newId } from '../new-id.js'
import { recordMember } from '../projects/record-members.js'
import { endCredentials } from './end-credentials.js'
import { accountDeleted, lockAccount, lockAccountInSession, type OwnSession } from './lock-account.js'
import { takeToken } from './tokens.js'

export interface User {
  id: number
  uuid: string
  email: string
  /** Increases when credentials end; a sign-in that began before is refused. */
  credentialsVersion: number
}

/** The facts needed to sign a person in. */
export interface SignInFacts extends User {
  passwordHash: string | null
  /** Whether the person has proven that they read the address's mail. */
  emailProven: boolean
  /** Whether the operator has disabled the account. */
  disabled: boolean
  /** The secret of the authenticator app, sealed; null for none. */
  totpSecret: string | null
  passkeys: number
  /** The number of unused recovery codes. */
  recoveryCodes: number
}

export interface NewUser {
  email: string
  passwordHash: string | null
  /** Whether it is proven that the person reads the address's mail; default false. */
  emailProven?: boolean
  /** An IANA name; default UTC. */
  timezone?: string | undefined
  now: number
}

/** Creates a user. Throws a `Refusal` if the address (lower case) is taken. */
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

/** The person to whom Healthchecks gave this name, or null if nobody was imported with it or the address is another now. */
export const findImportedUser = read(async (db: Db, name: string): Promise<{ uuid: string } | null> => {
  const row = await db.sql
    .selectFrom('users')
    .select('uuid')
    .where('imported_name', '=', name)
    .executeTakeFirst()
  return row ?? null
})

/** Whether any account exists. */
export const hasUsers = poll(async (db: Db): Promise<boolean> => {
  return (await db.sql.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
})

/** Every user, by address. */
export const listUsers = read(async (db: Db) => {
  const rows = await db.sql
    .selectFrom('users as u')
    .select(['u.uuid', 'u.email', 'u.totp_secret', 'u.created_at as createdAt'])
    .select(['u.email_proven_at', 'u.disabled_at'])
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
  return rows.map(({ totp_secret, passkey, projects, disabled_at, email_proven_at, ...user }) => ({
    ...user,
    projects: Number(projects),
    secondStep: totp_secret !== null || Boolean(passkey),
    disabled: disabled_at !== null,
    emailProven: email_proven_at !== null,
  }))
})

/** The facts to sign in the person with this address (lower case) or ID, or null. */
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

/** Sets a person's time zone, by which their next report is planned again, and the theme of their pages. */
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

/** What a person has set for themselves. Throws `Refusal('unauthorized')` if the account was deleted. */
export const preferences = read(
  async (
    db: Db,
    userId: number,
  ): Promise<{ uuid: string; email: string; timezone: string; theme: Theme }> => {
    return await db.sql
      .selectFrom('users')
      .select(['uuid', 'email', 'timezone', 'theme'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(accountDeleted)
  },
)

/** A change of a person's address, and the session in which it was requested. */
export interface AddressChange extends OwnSession {
  email: string
  /** When the person proved that they read the new address's mail; null if they did not. */
  provenAt: number | null
  /** The digest of the link that confirms it, which is used up. */
  link?: string
  now: number
}

/**
 * Changes a person's address; unproven addresses get no e-mail. If the address is another one, this ends sign-ins
 * under way, what a reader of the former address's mail may have begun or made (other sessions, API tokens, what lets
 * others into projects), and the reports queued for it. Returns false, and changes nothing, if the link does not work. Throws a `Refusal` if the address is taken or the session has ended.
 */
export const setEmail = write(
  async (db: Db, { userId, sessionId, email, provenAt, link, now }: AddressChange): Promise<boolean> => {
    await lockAccountInSession(db, { userId, sessionId })
    if (link !== undefined && !(await takeToken(db, link, 'change-email', now))) return false
    const before = await db.sql
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    // The same address typed again is as proven as it was.
    if (before.email === email && provenAt === null) return true
    const isTaken = () => new Refusal('conflict', `there is an account with ${email} already`, 'email')
    const other = await findUser(db, email)
    if (other && other.id !== userId) throw isTaken()
    await db.sql
      .updateTable('users')
      .set({ email, email_proven_at: provenAt })
      .where('id', '=', userId)
      .execute()
      .catch(error => {
        // Another account got the address since, in a transaction that was not over.
        throw isDuplicate(error) ? isTaken() : error
      })
    // A link that was sent to the former address must no longer open the account.
    await db.sql.deleteFrom('tokens').where('user_id', '=', userId).execute()
    if (before.email === email) return true
    await db.sql
      .updateTable('users')
      // Imported links were sent to the former address.
      .set(eb => ({ credentials_version: eb('credentials_version', '+', 1), imported_name: null }))
      .where('id', '=', userId)
      .execute()
    await endCredentials(db, { userId, end: 'new-address', keep: sessionId, now })
    // They contain unsubscribe links for the former address.
    await db.sql.deleteFrom('mails').where('user_id', '=', userId).where('kind', '!=', 'notice').execute()
    return true
  },
)

/** The IDs of the projects that a person owns. */
export const ownedProjectIds = read(async (db: Db, userId: number): Promise<number[]> => {
  const rows = await db.sql.selectFrom('projects').select('id').where('owner_id', '=', userId).execute()
  return rows.map(({ id }) => id)
})

/** Deletes a person with everything that is only theirs. Returns false, and deletes nothing, if they own a project. */
export const deleteUser = write(async (db: Db, userId: number, now: number): Promise<boolean> => {
  await lockAccount(db, userId)
  if ((await ownedProjectIds(db, userId)).length > 0) return false
  const memberships = await db.sql
    .selectFrom('members')
    .select(['project_id as projectId', 'role'])
    .where('user_id', '=', userId)
    .execute()
  for (const { projectId, role } of memberships) {
    await recordMember(db, { projectId, userId }, role, null, now)
  }
  // Not left to the database: what lets others into projects would become the operator's.
  await endCredentials(db, { userId, end: 'deletion', now })
  await db.sql.deleteFrom('users').where('id', '=', userId).execute()
  return true
})
