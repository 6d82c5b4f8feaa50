/** Who people are at an OpenID Connect provider. */
import type { Db } from './db.js'
import type { User } from './users.js'

/** The account of somebody at a provider, or null. */
export async function findByIdentity(db: Db, issuer: string, subject: string): Promise<User | null> {
  const row = await db.sql
    .selectFrom('identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.uuid', 'u.email'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}

/** Notes which account somebody at a provider has. */
export async function addIdentity(
  db: Db,
  identity: { issuer: string; subject: string; userId: number },
): Promise<void> {
  await db.sql
    .insertInto('identities')
    .values({ issuer: identity.issuer, subject: identity.subject, user_id: identity.userId })
    .onConflict(oc => oc.columns(['issuer', 'subject']).doNothing())
    .execute()
}
