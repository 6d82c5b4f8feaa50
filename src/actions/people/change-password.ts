import type { Clock } from '../../lib/clock.js'
import { digestOf, newToken } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'
import { hashNewPassword } from './hash-new-password.js'
import { accountKey, resetAttempts } from './sign-in/limit-attempts.js'

export interface PasswordChange {
  user: { id: number; email: string }
  sessionId: string
  password: string
  /** Whether the person signed in by a link because the password was lost: then what its thief may have made ends too. */
  recovered: boolean
}

/**
 * Sets a password, ends the person's other sessions, and resets the count of attempts, so that the new password works
 * at once. Returns the session's new token. Throws a `Refusal` for an unacceptable password.
 */
export async function changePassword(
  store: StoreWith<'people.setPassword' | 'people.resetLimits'>,
  clock: Clock,
  { user, sessionId, password, recovered }: PasswordChange,
): Promise<string> {
  const passwordHash = await hashNewPassword(password, user.email)
  const token = newToken()
  const session = { userId: user.id, sessionId, digest: digestOf(token) }
  await store.people.setPassword({ ...session, passwordHash, recovers: recovered, now: clock.now() })
  await resetAttempts(store, { password: accountKey(user, user.email) })
  return token
}
