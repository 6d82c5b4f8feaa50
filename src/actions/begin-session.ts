import type { Clock } from '../lib/clock.js'
import { digestOf, newToken } from '../lib/secrets.js'
import type { Store } from '../storage/store.js'

/** How somebody proved who they are. */
export type SignInMethod = 'password' | 'link' | 'proxy' | 'openid'

/** Where somebody signs in from. */
export interface Visitor {
  ua: string
  address: string
}

const UA_MAX_LENGTH = 200

/** Begins a session and returns the token for its cookie; only the token's digest is kept. */
export async function beginSession(
  store: Pick<Store, 'openSession'>,
  clock: Clock,
  { userId, method, visitor }: { userId: number; method: SignInMethod; visitor: Visitor },
): Promise<string> {
  const token = newToken()
  await store.openSession({
    digest: digestOf(token),
    userId,
    method,
    ua: visitor.ua.slice(0, UA_MAX_LENGTH),
    address: visitor.address,
    now: clock.now(),
  })
  return token
}
