import { Refusal } from '../core/errors.js'
import type { Clock } from '../lib/clock.js'
import { hashPassword, PASSWORD_MIN_LENGTH } from '../lib/password.js'
import type { Store } from '../storage/store.js'
import type { User } from '../storage/users.js'

/** Longer addresses are not deliverable. Source: RFC 5321, section 4.5.3.1. */
const EMAIL_MAX_LENGTH = 254

/**
 * Makes a user who signs in with `password`; with null, one who has none yet. The address is kept in lower case.
 * Throws a `Refusal` for a bad or taken address and for a short password.
 */
export async function createUser(
  store: Pick<Store, 'createUser'>,
  clock: Clock,
  { email, password }: { email: string; password: string | null },
): Promise<User> {
  const address = email.trim().toLowerCase()
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address) || address.length > EMAIL_MAX_LENGTH) {
    throw new Refusal('invalid', `${JSON.stringify(email)} is not an e-mail address`)
  }
  if (password !== null && [...password].length < PASSWORD_MIN_LENGTH) {
    throw new Refusal('invalid', `the password must have at least ${PASSWORD_MIN_LENGTH} characters`)
  }
  const passwordHash = password === null ? null : await hashPassword(password)
  return await store.createUser({ email: address, passwordHash, now: clock.now() })
}
