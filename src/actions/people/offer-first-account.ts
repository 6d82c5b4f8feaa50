import type { Clock } from '../../lib/clock.js'
import { digestOf, newToken } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

const LASTS_MS = 7 * 86_400_000

/**
 * A new token that can create the first account, once, within a week, and the path of the page that does so. An older
 * token stops working. Returns null if an account exists.
 */
export async function offerFirstAccount(
  store: StoreWith<'people.hasUsers' | 'people.replaceToken'>,
  clock: Clock,
): Promise<{ token: string; path: string } | null> {
  if (await store.people.hasUsers()) return null
  const token = newToken()
  await store.people.replaceToken({
    digest: digestOf(token),
    purpose: 'first-account',
    userId: null,
    email: null,
    expiresAt: clock.now() + LASTS_MS,
  })
  return { token, path: `/accounts/first/${token}/` }
}
