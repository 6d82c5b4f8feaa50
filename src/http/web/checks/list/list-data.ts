import type { StateCounts } from '../../../../core/checks/check-list.js'
import type { ListSection } from '../../../../core/checks/list-groups.js'
import type { ChecksPage, ListedRow } from '../../../../core/checks/listed-check.js'
import { readListQuery, type ShownQuery } from '../../../../views/check-list-query.js'
import type { SignedChannel } from '../../../../views/components/channels/channel-toggle.js'
import type { PageContext } from '../../../../views/page-context.js'
import { PAGE_SIZE } from '../../../../views/pages/checks/checks.js'
import type { WebContext } from '../../context.js'
import { versionOf } from '../../live/live.js'
import { projectParts, projectsOf, readParts, renderRows, withHtml } from './list-rows.js'
import type { ListScope } from './list-scope.js'

export type Fingerprints = Record<string, string>

export interface ListData {
  page: PageContext
  query: ShownQuery
  list: Omit<ChecksPage, 'sections'>
  /** The rows of the page as HTML. */
  sections: ListSection<string>[]
  /** The channels of the project of the address; empty if the list is of all projects. */
  channels: SignedChannel[]
  version: string
}

/** The list of checks of the requested address, without its rows. */
export async function readList(c: WebContext, scope: ListScope, now: number) {
  const query = readListQuery(new URL(c.req.url).searchParams)
  const asked = { ...query, group: scope.single && query.group === 'project' ? null : query.group }
  const projects = scope.projects.map(({ id, uuid }) => ({ id, uuid }))
  const list = await c.var.deps.store.checks.list(projects, { ...asked, pageSize: PAGE_SIZE }, now)
  return { query: asked, list, rows: list.sections.flatMap(({ rows }) => rows) }
}

/** The data of the list of checks for the requested address at `now`; `context`: of the page. */
export async function listData(
  c: WebContext,
  scope: ListScope,
  context: Promise<PageContext>,
  now: number,
): Promise<ListData> {
  // Asked together, because each turn to the thread of the database costs as much as a statement.
  const [shown, { query, list, rows }, known] = await Promise.all([
    context,
    readList(c, scope, now),
    scope.single ? readParts(c, [scope.single], now) : null,
  ])
  const page = { ...shown, now, problems: list.counts.down }
  const projects = projectsOf(scope, rows)
  const parts = projectParts(c, projects, page, known ?? (await readParts(c, projects, now)))
  const html = await renderRows(c, scope, rows, parts, now)
  return {
    page,
    query,
    list,
    sections: withHtml(list.sections, html),
    channels: scope.single ? parts.get(scope.single.uuid)!.channels : [],
    version: listVersion(fingerprintsOf(rows), list.counts, parts),
  }
}

export function fingerprintsOf(rows: readonly ListedRow[]): Fingerprints {
  return Object.fromEntries(rows.map(({ uuid, fingerprint }) => [uuid, fingerprint]))
}

/** The version of a page of the list. `parts`: what the rows of its projects show. */
export function listVersion(
  fingerprints: Fingerprints,
  counts: StateCounts,
  parts: ReadonlyMap<string, { version: string }>,
): string {
  const versions = [...parts].map(([uuid, { version }]) => [uuid, version])
  return versionOf([Object.entries(fingerprints).sort(), counts, versions.sort()])
}
