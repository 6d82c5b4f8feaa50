import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { verifyPassword } from '../../../lib/secrets/password.js'
import type { StoreWith } from '../../../storage/store.js'
import { limitAttempts, uncountAttempt } from './limit-attempts.js'

/**
 * Checks the password of a signed-in person. The attempts are counted apart from sign-ins, so that nobody else
 * can use them up. Throws `Refusal('unauthorized')` for `field` if the password is wrong, and
 * `Refusal('too-many')` above the limit.
 */
export async function checkPassword(
  store: StoreWith<'people.signInFacts' | 'people.takeFromLimits' | 'people.giveBackToLimits'>,
  clock: Clock,
  { userId, password, field }: { userId: number; password: string; field: string },
): Promise<void> {
  const attempt = { proof: String(userId) }
  await limitAttempts(store, clock, attempt)
  const stored = (await store.people.signInFacts({ id: userId }))?.passwordHash
  if (stored == null || !(await verifyPassword(password, stored))) {
    throw new Refusal('unauthorized', 'this is not your password', field)
  }
  await uncountAttempt(store, attempt)
}
