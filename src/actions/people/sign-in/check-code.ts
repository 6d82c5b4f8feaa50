import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import type { SecretKeys } from '../../../lib/secrets/secret-key.js'
import { totpStep } from '../../../lib/secrets/totp.js'
import { openTotpSecret, sealTotpSecret, wantsSealing } from '../../../lib/secrets/totp-secret.js'
import type { StoreWith } from '../../../storage/store.js'
import { limitAttempts } from './limit-attempts.js'

interface CodeDeps {
  store: StoreWith<'people.takeFromLimits' | 'people.takeTotpStep' | 'people.resealTotp'>
  clock: Clock
  secretKeys: SecretKeys
}

/**
 * Checks a code of a person's authenticator app, whose sealed secret is `stored`. Each code works once. Throws
 * `Refusal('unauthorized')` for a wrong or used code, and `Refusal('too-many')` above the limit in
 * docs/behaviour.md, section 11.
 */
export async function checkCode(
  { store, clock, secretKeys }: CodeDeps,
  { userId, stored, code }: { userId: number; stored: string; code: string },
): Promise<void> {
  await limitAttempts(store, clock, { code: String(userId) })
  const secret = openTotpSecret(secretKeys, userId, stored)
  if (secret === null) {
    throw new Refusal(
      'unauthorized',
      'codes cannot be checked because SECRET_KEY of the server has changed: use a recovery code, or ask your administrator',
      'code',
    )
  }
  const step = await totpStep(secret, code, clock.now())
  if (step === null || !(await store.people.takeTotpStep(userId, step))) {
    throw new Refusal('unauthorized', 'this code is wrong or was used before: wait for the next one', 'code')
  }
  const [secretKey = ''] = secretKeys
  if (wantsSealing(secretKey, userId, stored)) {
    await store.people.resealTotp(userId, stored, sealTotpSecret(secretKey, userId, secret))
  }
}
