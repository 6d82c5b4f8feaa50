import { SilenceLists, SilencesPage } from '../../../views/pages/silences/silences.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { requireRole, stream } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { silencesData } from './list-data.js'

/** GET: the silences of a project. */
export async function listSilences(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  const { version, ...data } = await silencesData(c, project, page.now)
  const live = { path: `/projects/${project.uuid}/silences/live/${new URL(c.req.url).search}`, version }
  return await c.html(SilencesPage({ page, projectUuid: project.uuid, ...data, live }))
}

/** GET: the lists, whenever one of the silences begins, ends or is changed. */
export async function streamSilences(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  const { store, clock } = c.var.deps
  let seen = (await silencesData(c, project, page.now)).version
  const look = async () => {
    const now = clock.now()
    const { version, ...data } = await silencesData(c, project, now)
    if (version === seen) return null
    seen = version
    const lists = SilenceLists({ page: { ...page, now }, projectUuid: project.uuid, ...data })
    const { down: problems } = await store.checks.stateCounts(project.id, now)
    return { version, problems, elements: { silences: String(lists) } }
  }
  const mayRead = async () => requireRole(project, await projectOf(c, project.uuid, 'read'))
  return stream(c, seen, { look, mayRead })
}
