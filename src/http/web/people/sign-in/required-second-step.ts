/** The second step where the operator demands one of everyone. */
import type { WebContext } from '../../context.js'
import type { WebRoute } from '../../routes.js'

/** A person has to set up a second step before anything else; answered by leading them to where that is done. */
export class SecondStepNeeded extends Error {
  override readonly name = 'SecondStepNeeded'
}

/**
 * Throws `SecondStepNeeded` for a person without a second step where one is required, save on the pages that set one up
 * and on those that do nothing for the person.
 * A provider or a proxy that signs people in may ask for one itself, so those are let through.
 */
export async function requireSecondStep(c: WebContext, route: WebRoute): Promise<void> {
  const { config, store } = c.var.deps
  const { session } = c.var
  if (!config.SECOND_STEP_REQUIRED || !session || route.setsUpSecondStep) return
  if (route.open && !route.actsForUser) return
  if (session.method !== 'password' && session.method !== 'link') return
  const facts = await store.people.signInFacts({ id: session.user.id })
  if (facts?.totpSecret == null && !facts?.passkeys) throw new SecondStepNeeded()
}
