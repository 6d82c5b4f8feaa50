import { unsignDjango } from '../../lib/secrets/django-signing.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { StoreWith } from '../../storage/store.js'

const PURPOSE = 'unsubscribe reports'

/** The person whose reports a link stops, and the address to which they were sent. */
export interface ReportReader {
  userUuid: string
  email: string
}

/**
 * The path of the link by which a person stops their reports and reminders. It works as long as the account has the
 * address to which it was sent.
 */
export function unsubscribeReportsPath(secretKey: string, { userUuid, email }: ReportReader): string {
  return `/accounts/${userUuid}/unsubscribe/${signatureOf(secretKey, PURPOSE, `${userUuid}:${email}`)}/`
}

/** Whether `signature` belongs to a link that was sent to the account's current address. */
export async function mayUnsubscribeReports(
  store: StoreWith<'people.findUserByUuid'>,
  secretKeys: SecretKeys,
  userUuid: string,
  signature: string,
): Promise<boolean> {
  const user = await store.people.findUserByUuid(userUuid)
  return user !== null && isSignature(secretKeys, PURPOSE, `${userUuid}:${user.email}`, signature)
}

/** The UUID of the person to whom Healthchecks sent a link with this text, before they were imported; or null. */
export async function importedReader(
  store: StoreWith<'people.findImportedUser'>,
  secretKeys: SecretKeys,
  signed: string,
): Promise<string | null> {
  const name = unsignDjango(secretKeys, 'reports', signed)
  return name === null ? null : ((await store.people.findImportedUser(name))?.uuid ?? null)
}

/**
 * Stops a person's reports and reminders. Does nothing if the account was deleted. Source:
 * docs/behaviour.md, section 9.6.
 */
export async function unsubscribeReports(
  store: StoreWith<'reports.setWishes'>,
  userUuid: string,
): Promise<void> {
  await store.reports.setWishes(userUuid, { reports: 'off', nagSeconds: 0 })
}
