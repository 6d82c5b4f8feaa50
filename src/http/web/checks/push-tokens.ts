import { checkLabel } from '../../../core/alerts/alert.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { PushTokensPage } from '../../../views/pages/checks/push-tokens.js'
import { checkOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'

/** GET: the push tokens of a check, for owners and managers. */
export async function showPushTokens(c: WebContext): Promise<Response> {
  return await c.html(await pushTokensPage(c, await managed(c)))
}

/** POST: gives a check the push tokens of the form, and no others. */
export async function submitPushTokens(c: WebContext): Promise<Response> {
  const found = await managed(c)
  const { project, check } = found
  const typed = (await formOf(c)).text('tokens')
  const { store, clock } = c.var.deps
  return await tryForm(
    c,
    async () => {
      await store.projects.setPushTokens(project.id, check.uuid, tokensIn(typed), clock.now())
      setFlash(c, 'good', 'Saved.')
      return seeOther(c, `/checks/${check.uuid}/push-tokens/`)
    },
    problem => pushTokensPage(c, found, { typed, problem }),
  )
}

async function managed(c: WebContext): Promise<CheckAccess> {
  return await checkOf(c, c.req.param('uuid')!, 'manage')
}

/** The tokens in a text; of an address that was pasted, its token. */
function tokensIn(typed: string): string[] {
  const words = typed.split(/\s+/).filter(word => word !== '')
  return words.map(word => /\/api\/push\/([^/?#]*)/.exec(word)?.[1] ?? word)
}

async function pushTokensPage(
  c: WebContext,
  { project, check }: CheckAccess,
  refused: { typed: string; problem: Problem } | null = null,
) {
  const { store, config } = c.var.deps
  const page = await pageContext(c, project)
  const [tokens, protocols, { check: known }] = await Promise.all([
    store.projects.pushTokens(project.id, check.uuid),
    store.projects.protocols(project.id),
    store.checks.facts(project.id, check.uuid, page.now),
  ])
  return PushTokensPage({
    page,
    project,
    check: { uuid: check.uuid, label: checkLabel(known) },
    siteRoot: config.SITE_ROOT,
    tokens,
    accepts: protocols.includes('uptime-kuma'),
    typed: refused?.typed ?? tokens.join('\n'),
    problem: refused?.problem ?? null,
  })
}
