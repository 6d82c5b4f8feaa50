import type { Clock } from '../../../lib/clock.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { User } from '../../../storage/people/users.js'
import type { StoreWith } from '../../../storage/store.js'

/** How somebody proved who they are. */
export type SignInMethod = 'password' | 'link' | 'proxy' | 'openid'

/** Where somebody signs in from. */
export interface Visitor {
  ua: string
  address: string
}

const UA_MAX_LENGTH = 200

/** The account that is entered, as it was when the sign-in began. */
export type SigningIn = Pick<User, 'id' | 'credentialsVersion'>

/**
 * Begins a session and returns the token for its cookie; only the token's digest is kept. Throws a `Refusal` when the
 * account is disabled, and when its credentials have ended since the sign-in began.
 */
export async function beginSession(
  store: StoreWith<'people.openSession'>,
  clock: Clock,
  { user, method, visitor }: { user: SigningIn; method: SignInMethod; visitor: Visitor },
): Promise<string> {
  const token = newToken()
  await store.people.openSession({
    digest: digestOf(token),
    userId: user.id,
    credentialsVersion: user.credentialsVersion,
    method,
    ua: visitor.ua.slice(0, UA_MAX_LENGTH),
    address: visitor.address,
    now: clock.now(),
  })
  return token
}
