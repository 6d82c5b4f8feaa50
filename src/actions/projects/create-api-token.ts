import { Refusal } from '../../core/errors.js'
import type { ScopeName } from '../../core/people/scopes.js'
import { oneLine } from '../../core/text/clean-text.js'
import type { Clock } from '../../lib/clock.js'
import { newApiToken, TOKEN_HINT_LENGTH } from '../../lib/secrets/api-token.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { TokenOwner } from '../../storage/projects/api-tokens.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'

export const TOKEN_NAME_LENGTH = 100

export interface AskedToken {
  owner: TokenOwner
  name: string
  scopes: readonly ScopeName[]
  by: KnownAuthor | null
  /** Null: never. */
  expiresAt: number | null
}

/**
 * Makes an API token and returns it; only its digest is stored. Throws a `Refusal` if it has no name or no scopes, or
 * has expired already, and if who makes it, `by`, may not do so any more; null: the operator.
 */
export async function createApiToken(
  store: StoreWith<'projects.addApiToken'>,
  clock: Clock,
  { name: given, scopes, expiresAt, ...rest }: AskedToken,
): Promise<{ token: string; uuid: string }> {
  const now = clock.now()
  const name = oneLine(given)
  if (name === '') throw new Refusal('invalid', 'enter a name that says what uses the token', 'name')
  if (name.length > TOKEN_NAME_LENGTH)
    throw new Refusal('invalid', `the name is longer than ${TOKEN_NAME_LENGTH} characters`, 'name')
  if (scopes.length === 0) throw new Refusal('invalid', 'choose at least one scope', 'scopes')
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal('invalid', 'the expiry is in the past', 'expires')
  const token = newApiToken()
  const stored = {
    ...rest,
    name,
    scopes,
    expiresAt,
    digest: digestOf(token),
    hint: token.slice(0, TOKEN_HINT_LENGTH),
  }
  const { uuid } = await store.projects.addApiToken({ ...stored, now })
  return { token, uuid }
}
