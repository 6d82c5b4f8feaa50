/** What opens an account beside its password and authenticator app, and what ends it. Decision 0138. */
import type { Db } from '../db.js'

/**
 * - `hand-over`: somebody else may have made it, because nobody had proven the address until now,
 * - `sign-out`: the operator ends every sign-in of the person,
 * - `recovery`: a password was set after a link: the one before may have been stolen, with what its thief made,
 * - `new-password`: the person changed it.
 *
 * A recovery keeps second steps: otherwise the mailbox alone would open an account that has them.
 */
export type CredentialsEnd = 'hand-over' | 'sign-out' | 'recovery' | 'new-password'

/** By table: each has a column `user_id`. */
export const CREDENTIALS = {
  sessions: ['hand-over', 'sign-out'],
  // Mailed links.
  tokens: ['hand-over', 'sign-out', 'recovery', 'new-password'],
  api_tokens: ['hand-over', 'sign-out', 'recovery'],
  identities: ['hand-over', 'recovery'],
  passkeys: ['hand-over'],
  recovery_codes: ['hand-over'],
} as const satisfies Record<string, readonly CredentialsEnd[]>

type CredentialTable = keyof typeof CREDENTIALS

/** Ends what this ends of a person's credentials. Returns how many there were, by table. */
export async function endCredentials(
  db: Db,
  userId: number,
  end: CredentialsEnd,
): Promise<Record<CredentialTable, number>> {
  const ended = { sessions: 0, tokens: 0, api_tokens: 0, identities: 0, passkeys: 0, recovery_codes: 0 }
  for (const [table, ends] of Object.entries(CREDENTIALS) as [CredentialTable, readonly CredentialsEnd[]][]) {
    if (!ends.includes(end)) continue
    const { numDeletedRows } = await db.sql
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    ended[table] = Number(numDeletedRows)
  }
  return ended
}
