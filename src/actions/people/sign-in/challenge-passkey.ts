import type { Clock } from '../../../lib/clock.js'
import type { TakeChallenge } from '../../../lib/secrets/passkeys.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { StoreWith } from '../../../storage/store.js'

const LASTS_MS = 300_000

/** A new challenge (base64url) for a person's passkey; it works once, for five minutes. */
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

/** Returns a function that tells whether a challenge was given to this person, and uses it up. */
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
