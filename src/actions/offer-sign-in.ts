import type { Clock } from '../lib/clock.js'
import { digestOf, newToken } from '../lib/secrets.js'
import type { Store } from '../storage/store.js'

const LASTS_MS = 86_400_000

/** The path of a link that signs a user in, once, within a day. For whom the operator hands it to. */
export async function offerSignIn(
  store: Pick<Store, 'replaceToken'>,
  clock: Clock,
  userId: number,
): Promise<{ path: string }> {
  const token = newToken()
  await store.replaceToken({
    digest: digestOf(token),
    purpose: 'sign-in',
    userId,
    email: null,
    expiresAt: clock.now() + LASTS_MS,
  })
  return { path: `/accounts/link/${token}/` }
}
