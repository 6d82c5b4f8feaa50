import type { Clock } from '../../../lib/clock.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'

/** How long the link works: for a new account, and for a person who cannot sign in. */
export const LINK_LASTS_MS = { newAccount: 86_400_000, lostPassword: 3_600_000 }

/** The path of a link that signs a user in, once, within `lastsMs`, in any browser. The operator passes it on. */
export async function offerSignIn(
  store: StoreWith<'people.replaceToken'>,
  clock: Clock,
  userId: number,
  lastsMs: number,
): Promise<{ path: string }> {
  const token = newToken()
  await store.people.replaceToken({
    digest: digestOf(token),
    purpose: 'sign-in',
    userId,
    email: null,
    expiresAt: clock.now() + lastsMs,
  })
  return { path: `/accounts/link/${token}/` }
}
