import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Store } from '../../storage/store.js'

const PURPOSE = 'unsubscribe reports'

/** The path of the link by which a person, and nobody else, stops their reports and reminders. */
export function unsubscribeReportsPath(secretKey: string, userUuid: string): string {
  return `/accounts/${userUuid}/unsubscribe/${signatureOf(secretKey, PURPOSE, userUuid)}/`
}

/** Whether `signature` came with a link of this person. */
export function mayUnsubscribeReports(secretKeys: SecretKeys, userUuid: string, signature: string): boolean {
  return isSignature(secretKeys, PURPOSE, userUuid, signature)
}

/**
 * Stops a person's reports and reminders; nothing for somebody whose account is gone.
 * Source: docs/behaviour.md, section 9.6.
 */
export async function unsubscribeReports(
  store: Pick<Store, 'setReportWishes'>,
  userUuid: string,
): Promise<void> {
  await store.setReportWishes(userUuid, { reports: 'off', nagSeconds: 0 })
}
