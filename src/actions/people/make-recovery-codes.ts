import { digestOf, newRecoveryCode } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

const CODE_COUNT = 10

/**
 * Replaces a person's recovery codes and returns the new ones; only their digests are stored. Throws a `Refusal`
 * if the session has ended.
 */
export async function makeRecoveryCodes(
  store: StoreWith<'people.setRecoveryCodes'>,
  { userId, sessionId }: { userId: number; sessionId: string },
): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, newRecoveryCode)
  const digests = codes.map(code => digestOf(plainCode(code)))
  await store.people.setRecoveryCodes({ userId, sessionId, digests })
  return codes
}

/** Whether the text looks like a recovery code: codes of an authenticator app have only digits. */
export function isRecoveryCode(typed: string): boolean {
  return !/^\d{0,8}$/.test(typed.replace(/[\s-]/g, ''))
}

/**
 * A code in its canonical form: letter case, hyphens and spaces do not count, and look-alikes
 * such as o and 0 are the same.
 */
export function plainCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}
