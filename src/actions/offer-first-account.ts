import type { Clock } from '../lib/clock.js'
import { digestOf, newToken } from '../lib/secrets.js'
import type { Store } from '../storage/store.js'

const LASTS_MS = 7 * 86_400_000

/**
 * The path of the page that makes the first account, with a new token that works once, for a week; null when
 * somebody has an account. An older link stops working.
 */
export async function offerFirstAccount(
  store: Pick<Store, 'hasUsers' | 'replaceToken'>,
  clock: Clock,
): Promise<string | null> {
  if (await store.hasUsers()) return null
  const token = newToken()
  await store.replaceToken({
    digest: digestOf(token),
    purpose: 'first-account',
    userId: null,
    email: null,
    expiresAt: clock.now() + LASTS_MS,
  })
  return `/accounts/first/${token}/`
}
