import { emailAddress } from '../core/email-address.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'
import type { User } from '../storage/users.js'
import { hashNewPassword } from './hash-new-password.js'

/**
 * Makes a user who signs in with `password`; with null, one who has none yet. The address is kept in lower case.
 * Throws a `Refusal` for a bad or taken address and for a short password.
 */
export async function createUser(
  store: Pick<Store, 'createUser'>,
  clock: Clock,
  { email, password }: { email: string; password: string | null },
): Promise<User> {
  const address = emailAddress(email)
  const passwordHash = password === null ? null : await hashNewPassword(password)
  return await store.createUser({ email: address, passwordHash, now: clock.now() })
}
