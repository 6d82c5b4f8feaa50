import type { Clock } from '../../../lib/clock.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { User } from '../../../storage/people/users.js'
import type { StoreWith } from '../../../storage/store.js'

/** How a person proved their identity. */
export type SignInMethod = 'password' | 'link' | 'proxy' | 'openid'

/** The browser and the network address from which a person signs in. */
export interface Visitor {
  ua: string
  address: string
}

const UA_MAX_LENGTH = 200

/** The account that is signed in to, as it was when the sign-in began. */
export type SigningIn = Pick<User, 'id' | 'credentialsVersion'>

/**
 * Begins a session and returns the token for its cookie; only the token's digest is stored. Throws a `Refusal` if the
 * account is disabled or its credentials have changed since the sign-in began.
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
