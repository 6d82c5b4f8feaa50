/** The form for a new API token, of a person or of a project. */
import { createApiToken } from '../../../actions/projects/create-api-token.js'
import { type ScopeName, scopesIn } from '../../../core/people/scopes.js'
import { expiryAfter, TOKEN_LIFETIMES } from '../../../core/people/token-lifetime.js'
import type { TokenOwner } from '../../../storage/projects/api-tokens.js'
import type { TypedToken } from '../../../views/pages/people/add-token.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { showOnce } from '../show-once.js'
import { ownSession } from './session.js'

/** What a new form holds. */
export const NEW_TOKEN: TypedToken = { name: '', lifetime: '90', scopes: ['checks:read'] }

/** What was typed into the form. Scopes that are not `offered` are left out. */
export async function typedToken(c: WebContext, offered: readonly ScopeName[]): Promise<TypedToken> {
  const form = await formOf(c)
  const lifetime = TOKEN_LIFETIMES.find(one => one === form.text('lifetime')) ?? NEW_TOKEN.lifetime
  const scopes = scopesIn(form.all('scopes')).filter(scope => offered.includes(scope))
  return { name: form.text('name'), lifetime, scopes }
}

/** Makes the token, which is shown once on `page`. */
export async function makeToken(
  c: WebContext,
  owner: TokenOwner,
  { name, lifetime, scopes }: TypedToken,
  page: string,
): Promise<void> {
  const { store, clock } = c.var.deps
  const { token } = await createApiToken(store, clock, {
    owner,
    name,
    scopes,
    by: ownSession(c),
    expiresAt: expiryAfter(lifetime, clock.now()),
  })
  showOnce(c, page, { what: 'token', text: token, sentTo: null })
}
