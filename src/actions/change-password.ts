import type { Store } from '../storage/store.js'
import { hashNewPassword } from './hash-new-password.js'
import { forgiveAttempts } from './limit-attempts.js'

/**
 * Sets a password, ends the person's other sessions, and forgets the attempts at the old password, so that the new one
 * is of use at once. Throws a `Refusal` for a bad one.
 */
export async function changePassword(
  store: Pick<Store, 'setPassword' | 'resetLimits'>,
  user: { id: number; email: string },
  { password, keepSession }: { password: string; keepSession: number },
): Promise<void> {
  const passwordHash = await hashNewPassword(password, user.email)
  await store.setPassword({ userId: user.id, passwordHash, keepSession })
  await forgiveAttempts(store, { password: user.email })
}
