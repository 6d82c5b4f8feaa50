import { Refusal } from '../../../core/errors.js'
import { addressOrNull } from '../../../core/people/email-address.js'
import type { Clock } from '../../../lib/clock.js'
import { hashPassword, verifyPassword, wantsRenewal } from '../../../lib/secrets/password.js'
import type { SignInFacts } from '../../../storage/people/users.js'
import type { StoreWith } from '../../../storage/store.js'
import { accountKey, limitAttempts, resetAttempts, uncountAttempt } from './limit-attempts.js'

/** The hash of an impossible password, so that an unknown address takes as long as a wrong password. */
let decoy: Promise<string> | null = null

/**
 * The person with this address and password. Attempts are counted for the account and the network; in a browser in
 * which the account was signed in to before (`device`), only for that browser. Throws `Refusal('unauthorized')`, with
 * the same text for an unknown address and a wrong password, and `Refusal('too-many')` above the limits in
 * docs/behaviour.md, section 11.
 */
export async function signIn(
  store: StoreWith<
    | 'people.signInFacts'
    | 'people.takeFromLimits'
    | 'people.giveBackToLimits'
    | 'people.resetLimits'
    | 'people.renewPasswordHash'
  >,
  clock: Clock,
  attempt: { email: string; password: string; address: string; device: string | null },
): Promise<SignInFacts> {
  const { device } = attempt
  const known = addressOrNull(attempt.email)
  const user = known === null ? null : await store.people.signInFacts({ email: known })
  const password = accountKey(user, known)
  await limitAttempts(store, clock, device ? { device } : { signIn: attempt.address, password })
  decoy ??= hashPassword('')
  const right = await verifyPassword(attempt.password, user?.passwordHash ?? (await decoy))
  if (!user?.passwordHash || !right) {
    throw new Refusal('unauthorized', 'the address or the password is wrong')
  }
  if (wantsRenewal(user.passwordHash)) {
    await store.people.renewPasswordHash(user.id, user.passwordHash, await hashPassword(attempt.password))
  }
  await resetAttempts(store, device ? { device } : { password })
  if (!device) await uncountAttempt(store, { signIn: attempt.address })
  return user
}
