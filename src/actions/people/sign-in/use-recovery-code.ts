import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'
import { plainCode } from '../make-recovery-codes.js'
import { limitAttempts } from './limit-attempts.js'

/**
 * Uses a recovery code in place of the second step. Throws `Refusal('unauthorized')` for a wrong or used code, and
 * `Refusal('too-many')` above the limit.
 */
export async function useRecoveryCode(
  store: StoreWith<'people.takeFromLimits' | 'people.takeRecoveryCode'>,
  clock: Clock,
  { userId, code }: { userId: number; code: string },
): Promise<void> {
  await limitAttempts(store, clock, { recoveryCode: String(userId) })
  if (await store.people.takeRecoveryCode(userId, digestOf(plainCode(code)))) return
  throw new Refusal('unauthorized', 'this recovery code is wrong or was used before', 'recovery')
}
