/** The second step, if the operator requires it of everyone. */
import type { WebContext } from '../../context.js'
import type { WebRoute } from '../../route.js'

/** The user must set up a second step before anything else. The response redirects to the page for that. */
export class SecondStepNeeded extends Error {
  override readonly name = 'SecondStepNeeded'
}

/**
 * Throws `SecondStepNeeded` for a user without a second step if one is required, except on the pages that set one up
 * and on pages that do not act for the user. Users signed in by a provider or a proxy are exempt, because it may
 * require a second step itself.
 */
export async function requireSecondStep(c: WebContext, route: WebRoute): Promise<void> {
  if (route.setsUpSecondStep || (route.open && !route.actsForUser)) return
  if (await lacksSecondStep(c)) throw new SecondStepNeeded()
}

/** Whether the user must set up a second step before anything of a project is shown. */
export async function lacksSecondStep(c: WebContext): Promise<boolean> {
  const { config, store } = c.var.deps
  const { session } = c.var
  if (!config.SECOND_STEP_REQUIRED || !session) return false
  if (session.method !== 'password' && session.method !== 'link') return false
  const facts = await store.people.signInFacts({ id: session.user.id })
  return facts?.totpSecret == null && !facts?.passkeys
}
