import { revokeApiToken } from '../../../actions/projects/revoke-api-token.js'
import { Refusal } from '../../../core/errors.js'
import { SCOPE_NAMES } from '../../../core/people/scopes.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { AddTokenPage, type TypedToken } from '../../../views/pages/people/add-token.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { requireProof } from './proof.js'
import { ownSession, requireUser } from './session.js'
import { makeToken, NEW_TOKEN, typedToken } from './token-form.js'

const PROFILE = '/accounts/profile/'

/** GET: the form for a new API token of the user. It acts for them for long, so it takes a recent proof. */
export async function showAddOwnToken(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await formPage(c, NEW_TOKEN, null))
}

/** POST: makes the token, which is shown once on the page of the account. */
export async function submitOwnToken(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  const typed = await typedToken(c, SCOPE_NAMES)
  return await tryForm(
    c,
    async () => {
      await makeToken(c, { userId: user.id }, typed, PROFILE)
      return seeOther(c, `${PROFILE}#tokens`)
    },
    problem => formPage(c, typed, problem),
  )
}

/** POST: revokes one of the user's API tokens. */
export async function revokeOwnToken(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const uuid = c.req.param('apiToken')!
  const { deps } = c.var
  const token = { owner: { userId: user.id }, uuid, by: ownSession(c), now: deps.clock.now() }
  if (!(await revokeApiToken(deps, token))) throw new Refusal('not-found', 'there is no such token')
  setFlash(c, 'good', 'Token revoked.')
  return seeOther(c, `${PROFILE}#tokens`)
}

async function formPage(c: WebContext, typed: TypedToken, problem: Problem | null) {
  return AddTokenPage({
    page: await pageContext(c),
    section: 'account',
    lead: 'It acts for you in all your projects, as far as its scopes and your role there allow.',
    action: '/accounts/tokens/add/',
    cancel: PROFILE,
    offered: SCOPE_NAMES,
    typed,
    problem,
  })
}
