import { may } from '../../../core/people/role.js'
import { integrations, needToChange } from '../../../integrations/index.js'
import { missingToAdd } from '../../../integrations/missing-settings.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { ChooseKindPage } from '../../../views/pages/channels/choose.js'
import type { KindCard } from '../../../views/pages/channels/gallery.js'
import { operatorOf } from '../../operator.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: the kinds that can be added, filtered by `q`. */
export async function chooseKind(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  return await c.html(
    ChooseKindPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      kinds: kindCards(c, project),
      search: (c.req.query('q') ?? '').slice(0, 100),
    }),
  )
}

/** Every kind that the user may add to a project, and whether this installation can use it. */
export function kindCards(c: WebContext, { role }: Pick<ProjectAccess, 'role'>): KindCard[] {
  const operator = operatorOf(c.var.deps)
  const allowed = integrations.filter(({ kind }) => may(role, needToChange(kind)))
  return allowed.map(integration => ({
    kind: integration.kind,
    label: integration.label,
    help: integration.help,
    logo: integration.logo,
    colour: integration.colour ?? null,
    popular: integration.popular === true,
    category: integration.category,
    missing: missingToAdd(integration, operator).length > 0,
  }))
}
