import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { StoreWith } from '../../storage/store.js'

const PURPOSE = 'unsubscribe reports'

/** Whose reports a link stops, and where they were sent. */
export interface ReportReader {
  userUuid: string
  email: string
}

/**
 * The path of the link by which a person stops their reports and reminders. It is good as long as the account has the
 * address that it was sent to.
 */
export function unsubscribeReportsPath(secretKey: string, { userUuid, email }: ReportReader): string {
  return `/accounts/${userUuid}/unsubscribe/${signatureOf(secretKey, PURPOSE, `${userUuid}:${email}`)}/`
}

/** Whether `signature` came with a link that was sent to the present address of this account. */
export async function mayUnsubscribeReports(
  store: StoreWith<'people.findUserByUuid'>,
  secretKeys: SecretKeys,
  userUuid: string,
  signature: string,
): Promise<boolean> {
  const user = await store.people.findUserByUuid(userUuid)
  return user !== null && isSignature(secretKeys, PURPOSE, `${userUuid}:${user.email}`, signature)
}

/**
 * Stops a person's reports and reminders; nothing for somebody whose account is gone.
 * Source: docs/behaviour.md, section 9.6.
 */
export async function unsubscribeReports(
  store: StoreWith<'reports.setWishes'>,
  userUuid: string,
): Promise<void> {
  await store.reports.setWishes(userUuid, { reports: 'off', nagSeconds: 0 })
}
