import {
  cursorText,
  parseCursor,
  TIMELINE_KINDS,
  type TimelineKind,
} from '../../../core/checks/history/timeline.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { LogEvents, ProjectLogPage } from '../../../views/pages/projects/project-log.js'
import { projectOf } from '../access.js'
import { channelNamer, withNamedChannels } from '../checks/shown-channels.js'
import { path, type WebContext } from '../context.js'
import { projectVersion, streamProject } from '../live/live-project.js'
import { pageContext } from '../page-context.js'

const COUNT = 100

/** The kinds of events shown by default; the others can be selected. */
const USUAL: readonly TimelineKind[] = ['flip', 'notification', 'fail']

/** GET: the events of all checks of a project. `kind` filters them, `before` begins an older page. */
export async function showProjectLog(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const version = await projectVersion(c, project)
  const { kinds, known, ...log } = await logOf(c, project)
  const search = queryOf(known, null)
  const isNewest = c.req.query('before') === undefined
  return await c.html(
    ProjectLogPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      kinds,
      ...log,
      live: isNewest ? { path: `/projects/${project.uuid}/log/live/${search}`, version } : null,
    }),
  )
}

/** GET: the newest page of the log, whenever something happens in the project. */
export async function streamProjectLog(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  return await streamProject(c, project, async now => {
    const { events, older } = await logOf(c, project)
    return { log: String(LogEvents({ page: { ...page, now }, events, older })) }
  })
}

async function logOf(c: WebContext, project: ProjectAccess) {
  const asked = c.req.queries('kind') ?? []
  const known = TIMELINE_KINDS.filter(kind => asked.includes(kind))
  const kinds = known.length > 0 ? known : USUAL
  const from = parseCursor(c.req.query('before'))
  const { events, next } = await c.var.deps.store.projects.log(project.id, { kinds, from, count: COUNT })
  const older = next ? path(c, `/projects/${project.uuid}/log/${queryOf(known, cursorText(next))}`) : null
  const named = await channelNamer(c, project.id)
  return { kinds, known, events: withNamedChannels(events, named), older }
}

function queryOf(kinds: readonly TimelineKind[], before: string | null): string {
  const query = new URLSearchParams(kinds.map((kind): [string, string] => ['kind', kind]))
  if (before !== null) query.set('before', before)
  return query.size === 0 ? '' : `?${query}`
}
