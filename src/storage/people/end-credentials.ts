/** What opens an account beside its password and authenticator app, and what ends it. Decision 0138. */
import type { Db } from '../db.js'
import { endGrants } from '../projects/end-grants.js'

/**
 * - `hand-over`: somebody else may have made it, because nobody had proven the address until now,
 * - `sign-out`: the operator ends every sign-in of the person, or the account is disabled,
 * - `recovery`: a password was set after a link: the one before may have been stolen, with what its thief made,
 * - `new-address`: a reader of the former address's mail may have signed in by a link, and made it,
 * - `new-password`: the person changed it,
 * - `deletion`: the account is deleted.
 *
 * A recovery keeps second steps: otherwise the mailbox alone would open an account that has them.
 */
export type CredentialsEnd =
  | 'hand-over'
  | 'sign-out'
  | 'recovery'
  | 'new-address'
  | 'new-password'
  | 'deletion'

/** By table: each has a column `user_id`. */
export const CREDENTIALS = {
  sessions: ['hand-over', 'sign-out', 'recovery', 'new-address', 'new-password', 'deletion'],
  // Mailed links.
  tokens: ['hand-over', 'sign-out', 'recovery', 'new-address', 'new-password', 'deletion'],
  api_tokens: ['hand-over', 'sign-out', 'recovery', 'new-address', 'deletion'],
  identities: ['hand-over', 'recovery', 'deletion'],
  passkeys: ['hand-over', 'deletion'],
  recovery_codes: ['hand-over', 'deletion'],
} as const satisfies Record<string, readonly CredentialsEnd[]>

/** What lets others into projects in a person's name ends like the tokens with which they would do so themselves. */
const GRANTS: readonly CredentialsEnd[] = CREDENTIALS.api_tokens

type CredentialTable = keyof typeof CREDENTIALS

export interface EndedBy {
  userId: number
  end: CredentialsEnd
  /** The UUID of the session in which the person does so, which goes on. */
  keep?: string
  now: number
}

/** Ends what this ends of a person's credentials. Returns how many there were, by table. */
export async function endCredentials(
  db: Db,
  { userId, end, keep, now }: EndedBy,
): Promise<Record<CredentialTable, number>> {
  const ended = { sessions: 0, tokens: 0, api_tokens: 0, identities: 0, passkeys: 0, recovery_codes: 0 }
  for (const [table, ends] of Object.entries(CREDENTIALS) as [CredentialTable, readonly CredentialsEnd[]][]) {
    if (!ends.includes(end)) continue
    const { numDeletedRows } = await db.sql
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .$if(table === 'sessions' && keep !== undefined, query => query.where('uuid', '!=', keep!))
      .executeTakeFirstOrThrow()
    ended[table] = Number(numDeletedRows)
  }
  if (GRANTS.includes(end)) await endGrants(db, { userId, projectId: null }, now)
  return ended
}
