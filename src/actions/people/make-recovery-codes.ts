import { digestOf, newRecoveryCode } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

const CODES = 10

/**
 * Gives a person new recovery codes in place of the old ones. Returns them: they are known to nobody afterwards. Throws a
 * `Refusal` when the session has ended.
 */
export async function makeRecoveryCodes(
  store: StoreWith<'people.setRecoveryCodes'>,
  { userId, sessionId }: { userId: number; sessionId: string },
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newRecoveryCode)
  const digests = codes.map(code => digestOf(plainCode(code)))
  await store.people.setRecoveryCodes({ userId, sessionId, digests })
  return codes
}

/** Whether what was typed is meant as a recovery code: codes of an app are six digits. */
export function isRecoveryCode(typed: string): boolean {
  return !/^\d{0,8}$/.test(typed.replace(/[\s-]/g, ''))
}

/** A code as it counts: letter case, hyphens and spaces do not, nor does an o for a zero. */
export function plainCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}
