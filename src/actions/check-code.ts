import { Refusal } from '../core/errors.js'
import type { Clock } from '../lib/clock.js'
import { totpStep } from '../lib/totp.js'
import type { Store } from '../storage/store.js'
import { limitAttempts } from './limit-attempts.js'

/**
 * Checks a code of somebody's authenticator app; each is taken once. Throws `Refusal('unauthorized')` for a wrong
 * or used one, and `Refusal('too-many')` past the limit of section 11.
 */
export async function checkCode(
  store: Pick<Store, 'takeFromLimits' | 'takeTotpStep'>,
  clock: Clock,
  { userId, secret, code }: { userId: number; secret: string; code: string },
): Promise<void> {
  await limitAttempts(store, clock, { code: String(userId) })
  const step = await totpStep(secret, code, clock.now())
  if (step === null || !(await store.takeTotpStep(userId, step))) {
    throw new Refusal('unauthorized', 'this code is wrong or was used before: wait for the next one', 'code')
  }
}
