import { unsignDjango } from '../../lib/secrets/django-signing.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { StopReports } from '../../storage/reports/reports.js'
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

/** A link of ours, and one of Healthchecks. */
export type ReportsLink = { userUuid: string; signature: string } | { signed: string }

/**
 * The person whose reports a link stops, and what has to be true of the account when they stop. Null if the signature
 * is wrong, or was made for another address than the account has. `signed`: the link of Healthchecks, from before the
 * person was imported.
 */
export async function readReportsLink(
  store: StoreWith<'people.findUserByUuid' | 'people.findImportedUser'>,
  secretKeys: SecretKeys,
  link: ReportsLink,
): Promise<StopReports | null> {
  if ('signed' in link) {
    const importedName = unsignDjango(secretKeys, 'reports', link.signed)
    const found = importedName === null ? null : await store.people.findImportedUser(importedName)
    return found && { userUuid: found.uuid, importedName: importedName! }
  }
  const { userUuid, signature } = link
  const user = await store.people.findUserByUuid(userUuid)
  if (!user || !isSignature(secretKeys, PURPOSE, `${userUuid}:${user.email}`, signature)) return null
  return { userUuid, email: user.email }
}

/**
 * Stops the reports and reminders of the person to whom a link was sent. Returns false, and does nothing, where
 * `readReportsLink` returns null. Source: docs/behaviour.md, section 9.6.
 */
export async function unsubscribeReports(
  store: StoreWith<'people.findUserByUuid' | 'people.findImportedUser' | 'reports.stopReports'>,
  secretKeys: SecretKeys,
  link: ReportsLink,
): Promise<boolean> {
  const asked = await readReportsLink(store, secretKeys, link)
  return asked !== null && (await store.reports.stopReports(asked))
}
