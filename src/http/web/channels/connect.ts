import { runAtService } from '../../../actions/channels/prepare-channel.js'
import { Refusal } from '../../../core/errors.js'
import { sentence } from '../../../core/text/sentence.js'
import type { Integration } from '../../../integrations/integration.js'
import type { Authorisation, Outcome } from '../../../integrations/setup.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { FragmentPage } from '../../../views/pages/channels/fragment.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { draftPath, keepDraft } from './draft.js'
import { makeChannels, tellMade } from './make.js'
import { beginAttempt, endAttempt, isInProgress, noSuchAttempt } from './oauth-attempts.js'
import { connectable, transportsOf } from './operator.js'

/** GET: redirects the user to the service. */
export async function connectChannel(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { integration, setup } = connectable(c)
  return c.redirect(
    setup.authorise(await beginAttempt(c, project, integration.kind, c.req.query('checks') !== 'none')),
    302,
  )
}

/** GET: the user returns from the service, with its response in the query. */
export async function returnFromService(c: WebContext): Promise<Response> {
  const { integration, setup } = connectable(c)
  const query = c.req.query()
  const state = c.req.param('state') ?? query.state ?? ''
  if (setup.fragment && !query.error) return await showFragment(c, integration, setup, state)
  return await finish(c, state, query)
}

/** POST: the fragment of the address, sent as a form by a script or by hand. */
export async function returnWithFragment(c: WebContext): Promise<Response> {
  const { setup } = connectable(c)
  if (!setup.fragment) throw new Refusal('not-found', 'this service answers in the address')
  const { name } = setup.fragment
  return await finish(c, c.req.param('state')!, { [name]: (await formOf(c)).text(name).trim() })
}

async function finish(
  c: WebContext,
  state: string,
  answer: Readonly<Record<string, string>>,
): Promise<Response> {
  const { integration, setup } = connectable(c)
  const { project, attempt, forAll } = await endAttempt(c, integration.kind, state)
  try {
    const outcome = await runAtService(integration, () => setup.finish(answer, attempt, transportsOf(c)))
    return await follow(c, project, integration, outcome, forAll)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', `Nothing was connected. ${sentence(error.message)}`)
    return seeOther(c, `/projects/${project.uuid}/integrations/add/${integration.kind}/`)
  }
}

async function follow(
  c: WebContext,
  project: ProjectAccess,
  integration: Integration,
  outcome: Outcome,
  forAll: boolean,
): Promise<Response> {
  const { kind } = integration
  if ('onward' in outcome)
    return c.redirect(outcome.onward(await beginAttempt(c, project, kind, forAll)), 302)
  if ('channels' in outcome) {
    const made = await makeChannels(c, project, kind, outcome.channels, forAll)
    return await tellMade(c, project, made)
  }
  const { settings, aside = {} } = outcome.draft
  keepDraft(c, project, kind, { name: '', forAll, settings: { ...settings }, aside: { ...aside }, code: '' })
  return seeOther(c, draftPath(project, kind))
}

async function showFragment(
  c: WebContext,
  integration: Integration,
  { fragment }: Authorisation,
  state: string,
): Promise<Response> {
  if (!(await isInProgress(c, integration.kind, state))) throw noSuchAttempt()
  return await c.html(
    FragmentPage({
      page: await pageContext(c),
      label: integration.label,
      action: `/integrations/callback/${integration.kind}/${state}/`,
      field: fragment!,
    }),
  )
}
