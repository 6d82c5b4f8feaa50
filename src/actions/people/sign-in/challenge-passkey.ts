import type { Clock } from '../../../lib/clock.js'
import type { TakeChallenge } from '../../../lib/secrets/passkeys.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'

const LASTS_MS = 300_000

/** A new challenge for somebody's passkey, base64url; it is good once, for five minutes. */
export async function giveChallenge(
  store: StoreWith<'people.addToken'>,
  clock: Clock,
  userId: number,
): Promise<string> {
  const challenge = newToken()
  const expiresAt = clock.now() + LASTS_MS
  await store.people.addToken({
    digest: digestOf(challenge),
    purpose: 'passkey',
    userId,
    email: null,
    expiresAt,
  })
  return challenge
}

/** Tells whether a challenge was given to this person; from then on it is good no more. */
export function takeChallenge(
  store: StoreWith<'people.takeToken'>,
  clock: Clock,
  userId: number,
): TakeChallenge {
  return async challenge => {
    const token = await store.people.takeToken(digestOf(challenge), 'passkey', clock.now())
    return token?.userId === userId
  }
}
