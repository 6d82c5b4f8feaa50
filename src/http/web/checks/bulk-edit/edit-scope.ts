import { isUuid } from '../../../../core/text/uuid.js'
import { readListQuery } from '../../../../views/check-list-query.js'
import { listedProjects, projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import type { Form } from '../../form.js'
import type { ListScope } from '../list/list-scope.js'

/** The scope of a list with only the projects in which the reader may change checks, and all of these. */
export async function editScope(c: WebContext) {
  const uuid = c.req.param('uuid')
  const single = uuid === undefined ? null : await projectOf(c, uuid, 'write')
  const writable = await listedProjects(c, 'write')
  return {
    here: single ? `/projects/${single.uuid}/checks/` : '/checks/',
    single,
    projects: single ? writable.filter(({ id }) => id === single.id) : writable,
    writable,
  } satisfies ListScope & { writable: unknown }
}

/**
 * The chosen checks: those that the form names, each with what the reader saw of it, or all that match the filters in
 * the address.
 */
export async function chosenChecks(
  c: WebContext,
  { projects }: Pick<ListScope, 'projects'>,
  form: Form,
): Promise<ReadonlyMap<string, string>> {
  if (form.text('all') === '1') {
    const { store, clock } = c.var.deps
    const query = readListQuery(new URL(c.req.url).searchParams)
    const uuids = await store.checks.findUuids(projects, query, clock.now())
    return new Map(uuids.map(uuid => [uuid, '']))
  }
  const named = form.all('check').map(text => text.split('.', 2) as [string, string?])
  return new Map(named.filter(([uuid]) => isUuid(uuid)).map(([uuid, seen = '']) => [uuid, seen]))
}
