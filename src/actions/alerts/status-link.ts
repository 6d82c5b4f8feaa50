/**
 * The signed address at which a messaging service reports the result of an attempt. Source: docs/behaviour.md, section 4.10.
 * The signature is the secret: the attempt's UUID is also in links that the readers of a message see.
 */
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'

const PURPOSE = 'delivery-status'

/** The path for reports about the attempt with this notification. */
export function statusPath(secretKey: string, notificationUuid: string): string {
  const signature = signatureOf(secretKey, PURPOSE, notificationUuid)
  return `/api/v3/notifications/${notificationUuid}/status?signature=${signature}`
}

/** Whether a report about this notification came to its {@link statusPath}. */
export function isStatusSignature(keys: SecretKeys, notificationUuid: string, signature: string): boolean {
  return isSignature(keys, PURPOSE, notificationUuid, signature)
}
