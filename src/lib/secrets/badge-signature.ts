import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

const LENGTH = 8

/**
 * The signature of a tag in a badge's address. Only project members and users of an API key can obtain it. `badgeKey`
 * is the project's, `secretKey` the installation's. Source: docs/behaviour.md, section 5.1.
 */
export function badgeSignature(badgeKey: string, secretKey: string, tag: string): string {
  const key = createHash('sha1')
    .update(badgeKey + secretKey)
    .digest()
  return createHmac('sha1', key).update(tag).digest('base64url').slice(0, LENGTH)
}

/** Whether `sent` begins with the tag's signature by one of the keys. The rest is ignored. */
export function isBadgeSignature(
  sent: string,
  badgeKey: string,
  secretKeys: SecretKeys,
  tag: string,
): boolean {
  const others = Buffer.from(sent.slice(0, LENGTH))
  return secretKeys.some(key => {
    const own = Buffer.from(badgeSignature(badgeKey, key, tag))
    return others.length === own.length && timingSafeEqual(others, own)
  })
}
