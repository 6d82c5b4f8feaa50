/**
 * Challenges for passkeys. They are signed rather than stored, so that who only asks for them takes up no room, and ends no
 * challenge that another browser waits with. Only one that a passkey has answered is stored: it works once.
 */
import type { Clock } from '../../../lib/clock.js'
import type { SecretKeys } from '../../../lib/secrets/secret-key.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import { isSignature, signatureOf } from '../../../lib/secrets/signing.js'
import type { StoreWith } from '../../../storage/store.js'

const PURPOSE = 'passkey'
const LASTS_MS = 300_000
const SIGNATURE_LENGTH = 22

/** A new challenge (base64url) for a person's passkey, for five minutes. */
export function giveChallenge(secretKey: string, clock: Clock, userId: number): string {
  const value = `${clock.now() + LASTS_MS} ${newToken()}`
  return Buffer.from(signatureOf(secretKey, PURPOSE, `${userId} ${value}`) + value).toString('base64url')
}

interface Deps {
  store: StoreWith<'people.useToken'>
  clock: Clock
  secretKeys: SecretKeys
}

/**
 * What decides on the challenge of an answer. `isGiven`: whether it was given to this person and has not ended. `useUp`: returns
 * whether that challenge was unused until now.
 */
export function checkChallenge({ store, clock, secretKeys }: Deps, userId: number) {
  let given: { text: string; expiresAt: number } | null = null
  return {
    isGiven(challenge: string): boolean {
      // As text, because several texts in base64url stand for the same bytes.
      const text = Buffer.from(challenge, 'base64url').toString()
      const [signature, value] = [text.slice(0, SIGNATURE_LENGTH), text.slice(SIGNATURE_LENGTH)]
      if (!isSignature(secretKeys, PURPOSE, `${userId} ${value}`, signature)) return false
      const expiresAt = Number(value.split(' ')[0])
      if (expiresAt <= clock.now()) return false
      given = { text, expiresAt }
      return true
    },
    async useUp(): Promise<boolean> {
      if (given === null) return false
      const { text, expiresAt } = given
      const token = { digest: digestOf(text), purpose: PURPOSE, userId, email: null, expiresAt } as const
      return await store.people.useToken(token)
    },
  }
}
