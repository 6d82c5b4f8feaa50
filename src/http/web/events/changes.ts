import { withoutInvited } from '../../../core/events/event.js'
import { OBJECT_KINDS } from '../../../core/events/event-types.js'
import { may } from '../../../core/people/role.js'
import { ANY_EVENT } from '../../../storage/events/event-log.js'
import { zoneOf } from '../../../views/page-context.js'
import { ChangesPage } from '../../../views/pages/events/changes.js'
import { projectOf } from '../access.js'
import { path, type WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { eventNames } from './event-names.js'

const COUNT = 50

/**
 * GET: who changed what in a project. `kind` and `object` filter, `all` adds what happened to checks by itself, `before`
 * begins an older page.
 */
export async function showChanges(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const kind = OBJECT_KINDS.find(known => known === c.req.query('kind')) ?? null
  const object = c.req.query('object')?.slice(0, 100) || null
  const withOwn = c.req.query('all') === '1'
  const before = /^\d{1,15}$/.test(c.req.query('before') ?? '') ? Number(c.req.query('before')) : null
  const filter = { ...ANY_EVENT, kind, object, actor: withOwn ? null : 'others' }
  const { events, next } = await c.var.deps.store.events.log(project.id, filter, { before, limit: COUNT })
  const manages = may(project.role, 'manage')
  const shown = events.map(event => (manages ? event : withoutInvited(event)))
  const shownPage = await pageContext(c, project)
  return await c.html(
    ChangesPage({
      page: shownPage,
      names: await eventNames(c, project, zoneOf(shownPage)),
      projectUuid: project.uuid,
      kind,
      object,
      withOwn,
      events: shown,
      showsAddresses: manages,
      older: next === null ? null : olderPath(c, project.uuid, next),
    }),
  )
}

function olderPath(c: WebContext, projectUuid: string, before: number): string {
  const query = new URLSearchParams()
  for (const name of ['kind', 'object', 'all']) {
    const value = c.req.query(name)
    if (value) query.set(name, value.slice(0, 100))
  }
  query.set('before', String(before))
  return path(c, `/projects/${projectUuid}/changes/?${query}`)
}
