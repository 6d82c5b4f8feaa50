import type { PlannedEdit } from '../../../../core/checks/bulk-edit/edit-check.js'
import type { EditErrors, EditForm } from '../../../../core/checks/bulk-edit/edit-form.js'
import { suggestedTags } from '../../../../core/checks/suggested-tags.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import { zoneNames } from '../../../../core/schedule/index.js'
import { BulkEditPage } from '../../../../views/pages/checks/bulk-edit.js'
import type { WebContext } from '../../context.js'
import { pageContext } from '../../page-context.js'
import { shownChannels } from '../shown-channels.js'
import type { editScope } from './edit-scope.js'

interface Asked {
  /** The query of the list. */
  search: string
  form: EditForm
  errors: EditErrors
  rows: readonly PlannedEdit[]
  /** The chosen checks, each with what the reader saw of it; empty if nothing yet. */
  chosen: ReadonlyMap<string, string>
  /** Whether the rows that the reader saw were of the same change. */
  isShown: boolean
  /** Stands for the change. */
  shown: string
  refusal: string | null
  /** Whether the errors keep the change from being made, instead of only being shown. */
  isRefused: boolean
}

/** The page of the form that changes many checks, with its preview. */
export async function editPage(
  c: WebContext,
  scope: Awaited<ReturnType<typeof editScope>>,
  asked: Asked,
): Promise<Response> {
  const { rows, chosen, form, errors, isShown, shown, refusal, isRefused, search } = asked
  const { store } = c.var.deps
  const concerned = new Set(rows.map(({ projectId }) => projectId))
  const own = scope.projects.filter(({ id }) => concerned.has(id))
  const channels = await store.channels.listOfProjects([...concerned])
  const projects = await Promise.all(
    own.map(async ({ id, uuid, name }) => ({
      id,
      uuid,
      name,
      channels: shownChannels(channels[id] ?? []),
      policies: await store.incidents.policies(id),
    })),
  )
  const target = scope.writable.find(({ uuid }) => uuid === form.project)
  const names = {
    channels: new Map(
      projects.flatMap(one => one.channels.map(({ uuid, name, label }) => [uuid, name || label] as const)),
    ),
    policies: new Map(projects.flatMap(one => one.policies.map(({ id, name }) => [id, name] as const))),
    projects: new Map(own.map(one => [one.id, projectLabel(one)])),
    target: target ? projectLabel(target) : '',
  }
  const since = rows.filter(({ check, seen }) => isShown && chosen.get(check.uuid) !== seen)
  const view = BulkEditPage({
    page: await pageContext(c, scope.single),
    action: `${scope.here}bulk/edit/${search}`,
    back: scope.here + search,
    form,
    errors,
    rows,
    names,
    projects,
    zones: zoneNames(),
    tags: suggestedTags(await store.checks.usedTags([...concerned])),
    // All checks are in one project already if there is only that one.
    targets: scope.writable.filter(({ id }) => concerned.size !== 1 || !concerned.has(id)),
    changedSince: new Set(since.map(({ check }) => check.uuid)),
    gone: chosen.size - rows.length,
    refusal,
    shown,
    isMixed: concerned.size > 1,
    isChosen: form.parts.length > 0,
  })
  return await c.html(view, refusal ? 409 : isRefused ? 400 : 200)
}
