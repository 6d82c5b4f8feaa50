import { cursorText, parseCursor, TIMELINE_KINDS, type TimelineKind } from '../../core/timeline.js'
import { ProjectLogPage } from '../../views/pages/project-log.js'
import { projectOf } from './access.js'
import { path, type WebContext } from './context.js'
import { pageContext } from './page-context.js'

const COUNT = 100

/** What is worth reading in the morning; the rest is a tick away. */
const USUAL: readonly TimelineKind[] = ['flip', 'notification', 'fail']

/** GET: what happened to all checks of a project. `kind` narrows it, `before` begins an older page. */
export async function showProjectLog(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const asked = c.req.queries('kind') ?? []
  const known = TIMELINE_KINDS.filter(kind => asked.includes(kind))
  const kinds = known.length > 0 ? known : USUAL
  const from = parseCursor(c.req.query('before'))
  const { events, next } = await c.var.deps.store.projectLog(project.id, { kinds, from, count: COUNT })
  const query = new URLSearchParams()
  for (const kind of known) query.append('kind', kind)
  if (next) query.set('before', cursorText(next))
  return await c.html(
    ProjectLogPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      kinds,
      events,
      older: next ? path(c, `/projects/${project.uuid}/log/?${query}`) : null,
    }),
  )
}
