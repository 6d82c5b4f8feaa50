import { digestOf, newToken } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'
import { hashNewPassword } from './hash-new-password.js'
import { accountKey, forgiveAttempts } from './sign-in/limit-attempts.js'

/** Whose password changes, and in which session. */
export interface PasswordChange {
  user: { id: number; email: string }
  sessionId: string
  password: string
  /** Whether the account was entered by a link because the password was lost: then nothing older opens it any more. */
  recovered: boolean
}

/**
 * Sets a password, ends the person's other sessions, and forgets the attempts at the old password, so that the new one
 * is of use at once. Returns the new token of the session. Throws a `Refusal` for a bad password.
 */
export async function changePassword(
  store: StoreWith<'people.setPassword' | 'people.resetLimits'>,
  { user, sessionId, password, recovered }: PasswordChange,
): Promise<string> {
  const passwordHash = await hashNewPassword(password, user.email)
  const token = newToken()
  const session = { userId: user.id, sessionId, digest: digestOf(token) }
  await store.people.setPassword({ ...session, passwordHash, endsIdentities: recovered })
  await forgiveAttempts(store, { password: accountKey(user, user.email) })
  return token
}
