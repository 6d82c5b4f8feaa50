import { emailAddress } from '../../core/people/email-address.js'
import type { Clock } from '../../lib/clock.js'
import type { User } from '../../storage/people/users.js'
import type { Store } from '../../storage/store.js'
import { createFirstAccount } from './create-account.js'
import { hashNewPassword } from './hash-new-password.js'
import { offerFirstAccount } from './offer-first-account.js'

/**
 * Creates a user who signs in with `password`; null: a user without a password yet. The operator, who runs the
 * command, vouches for the address; it is stored in lower case. The first user adopts the project of the first run.
 * Throws a `Refusal` for an invalid or taken address and for an unacceptable password.
 */
export async function createUser(
  store: Store,
  clock: Clock,
  { email, password }: { email: string; password: string | null },
): Promise<User> {
  const address = emailAddress(email)
  const passwordHash = password === null ? null : await hashNewPassword(password, address)
  const first = await offerFirstAccount(store, clock)
  if (first) {
    const request = { email: address, passwordHash, emailProven: true }
    return (await createFirstAccount({ store, clock, hasMailer: false }, first.token, request)).user
  }
  return await store.people.createUser({ email: address, passwordHash, emailProven: true, now: clock.now() })
}
