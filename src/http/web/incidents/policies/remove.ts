import { plural } from '../../../../core/text/plural.js'
import type { ShownPolicy } from '../../../../storage/incidents/policies.js'
import { ConfirmPage } from '../../../../views/pages/confirm.js'
import { seeOther, type WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { pageContext } from '../../page-context.js'
import { loadPolicy, usesOf } from './load-policy.js'

/** GET: says what happens to the checks of a policy, and asks for confirmation before it is deleted. */
export async function askRemovePolicy(c: WebContext): Promise<Response> {
  const { project, policy, home } = await loadPolicy(c)
  const { incidents } = c.var.deps.store
  const [page, policies, unnamed] = await Promise.all([
    pageContext(c, project),
    incidents.policies(project.id),
    incidents.checksWithoutPolicy(project.id),
  ])
  return await c.html(
    ConfirmPage({
      page,
      section: 'integrations',
      parent: { path: home, label: 'Policies' },
      title: `Delete ${policy.name}?`,
      text: consequence(policy, policies, unnamed),
      action: `${home}${policy.id}/remove/`,
      button: 'Delete policy',
      back: home,
    }),
  )
}

/** POST: deletes a policy. */
export async function removePolicy(c: WebContext): Promise<Response> {
  const { project, policy, home } = await loadPolicy(c)
  const { store, clock } = c.var.deps
  await store.incidents.deletePolicy(project.id, policy.id, clock.now())
  setFlash(c, 'good', `Deleted ${policy.name}.`)
  return seeOther(c, home)
}

/** What happens to the checks that a policy applies to once it is deleted, open incidents included. */
function consequence(policy: ShownPolicy, policies: readonly ShownPolicy[], unnamed: number): string {
  const uses = usesOf(policy, unnamed)
  if (uses === 0) return 'No check uses it.'
  const heir = policies.find(({ isDefault, id }) => isDefault && id !== policy.id)
  const whose = uses === 1 ? 'The check that uses it has' : `The ${plural(uses, 'check')} that use it have`
  if (heir) {
    return `${whose} the default of the project, “${heir.name}”, from then on. Open incidents follow it, too.`
  }
  const then = uses === 1 ? 'It alerts its own integrations' : 'They alert their own integrations'
  return `${whose} no policy from then on. ${then} once, at once. In open incidents no further step or repeat comes.`
}
