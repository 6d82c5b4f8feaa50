import type { StateCounts } from '../../../../core/checks/check-list.js'
import type { ListSection } from '../../../../core/checks/list-groups.js'
import type { ChecksPage, ListedRow } from '../../../../core/checks/listed-check.js'
import { readListQuery, type ShownQuery } from '../../../../views/check-list-query.js'
import type { SignedChannel } from '../../../../views/components/channels/channel-toggle.js'
import type { PageContext } from '../../../../views/page-context.js'
import { PAGE_SIZE } from '../../../../views/pages/checks/checks.js'
import type { WebContext } from '../../context.js'
import { versionOf } from '../../live/live.js'
import { projectParts, renderRows, withHtml } from './list-rows.js'
import type { ListScope } from './list-scope.js'

export type Fingerprints = Record<string, string>

export interface ListData {
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

/** The data of the list of checks for the requested address. */
export async function listData(c: WebContext, scope: ListScope, page: PageContext): Promise<ListData> {
  const { query, list, rows } = await readList(c, scope, page.now)
  const uuids = new Set(rows.map(({ project }) => project))
  if (scope.single) uuids.add(scope.single.uuid)
  const parts = await projectParts(c, scope, uuids, page)
  const html = await renderRows(c, scope, rows, parts, page.now)
  return {
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
