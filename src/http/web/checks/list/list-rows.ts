import type { ListSection } from '../../../../core/checks/list-groups.js'
import type { ListedCheck, ListedRow } from '../../../../core/checks/listed-check.js'
import { nextExpected } from '../../../../core/checks/next-expected.js'
import type { ShownSilence } from '../../../../core/silences/shown-silence.js'
import { stampOf } from '../../../../core/silences/silence-words.js'
import { dayWords } from '../../../../core/time/instant.js'
import type { SignedChannel } from '../../../../views/components/channels/channel-toggle.js'
import { CheckRow, rowId } from '../../../../views/components/checks/list/check-row.js'
import { type PageContext, zoneOf } from '../../../../views/page-context.js'
import { TimedHtml } from '../../../../views/timed-html.js'
import type { WebContext } from '../../context.js'
import { versionOf } from '../../live/live.js'
import { signedChannels } from '../shown-channels.js'
import { type ListScope, rowPage, type ScopeProject } from './list-scope.js'

/** What the rows of a project show besides their checks. */
interface ProjectParts {
  project: ScopeProject
  page: PageContext
  channels: SignedChannel[]
  /** The silences that are active. */
  silences: ShownSilence[]
  /** Changes with everything here that rows show. */
  version: string
}

/** The projects of a list on whose rows, or on whose own page, it shows something. */
export function projectsOf(
  { projects, single }: ListScope,
  rows: readonly ListedRow[],
): readonly ScopeProject[] {
  if (single) return [single]
  const uuids = new Set(rows.map(({ project }) => project))
  return projects.filter(({ uuid }) => uuids.has(uuid))
}

/** What {@link projectParts} needs from the database. */
export async function readParts(c: WebContext, projects: readonly ScopeProject[], now: number) {
  const { store } = c.var.deps
  const ids = projects.map(({ id }) => id)
  const [channelsOf, active] = await Promise.all([
    store.channels.listOfProjects(ids),
    store.silences.listActive(ids, now),
  ])
  return { channelsOf, active }
}

/** What the rows of each of these projects show besides their checks, by the project's UUID. */
export function projectParts(
  c: WebContext,
  projects: readonly ScopeProject[],
  page: PageContext,
  { channelsOf, active }: Awaited<ReturnType<typeof readParts>>,
): Map<string, ProjectParts> {
  const { config } = c.var.deps
  const day = dayWords(page.now, zoneOf(page))
  const parts = projects.map(project => {
    const channels = signedChannels(channelsOf[project.id] ?? [])
    const silences = active.filter(({ projectId }) => projectId === project.id)
    const own = rowPage(page, project)
    const seen = [channels, silences.map(stampOf), day, own.project, page.base, config.PING_ENDPOINT]
    return { project, page: own, channels, silences, version: versionOf(seen) }
  })
  return new Map(parts.map(one => [one.project.uuid, one]))
}

/**
 * The rows of a page as HTML, by the UUID of their check. Only those that have changed since they were last shown to a
 * reader in the same time zone are read and rendered.
 */
export async function renderRows(
  c: WebContext,
  scope: ListScope,
  rows: readonly ListedRow[],
  parts: ReadonlyMap<string, ProjectParts>,
  now: number,
): Promise<Map<string, string>> {
  const { deps, rows: cache } = c.var
  const html = new Map<string, string>()
  const missing = new Map<string, ListedRow[]>()
  for (const row of rows) {
    const own = parts.get(row.project)
    if (!own || html.has(row.uuid)) continue
    const cached = cache.get(keyOf(row, own, scope), row.fingerprint + own.version, now)
    if (cached) html.set(row.uuid, cached.at(now))
    else missing.set(row.project, [...(missing.get(row.project) ?? []), row])
  }
  for (const [project, some] of missing) {
    const own = parts.get(project)!
    const fingerprints = new Map(some.map(({ uuid, fingerprint }) => [uuid, fingerprint]))
    for (const check of await deps.store.checks.listByUuid(own.project, [...fingerprints.keys()], now)) {
      const { page, channels, silences } = own
      const row = CheckRow({
        page: { ...page, now },
        check,
        channels,
        pingEndpoint: deps.config.PING_ENDPOINT,
        silences,
        isMixed: scope.single === null,
      })
      const timed = new TimedHtml(String(row))
      const version = fingerprints.get(check.uuid) + own.version
      cache.put(keyOf(check, own, scope), { version, until: outdatedAt(check, now), html: timed })
      html.set(check.uuid, timed.at(now))
    }
  }
  return html
}

/** The rows of the sections, in order. A check that is in several groups has several rows, each with an id. */
export function withHtml(
  sections: readonly ListSection<ListedRow>[],
  html: ReadonlyMap<string, string>,
): ListSection<string>[] {
  const shown = new Map<string, number>()
  return sections.map(section => ({
    ...section,
    rows: section.rows.flatMap(({ uuid }) => {
      const row = html.get(uuid)
      const copy = (shown.get(uuid) ?? 0) + 1
      shown.set(uuid, copy)
      return row === undefined ? [] : [withId(row, uuid, copy)]
    }),
  }))
}

/** The row of a check where it is shown for the `copy`th time on a page. */
export function withId(row: string, uuid: string, copy: number): string {
  return copy === 1 ? row : row.replace(`id="${rowId(uuid)}"`, `id="${rowId(uuid, copy)}"`)
}

function keyOf({ uuid }: { uuid: string }, { page }: ProjectParts, { single }: ListScope): string {
  return `${uuid} ${zoneOf(page)} ${page.project!.role} ${single === null}`
}

/** When a row shows something else although neither its check nor the day has changed (ms). */
function outdatedAt(check: ListedCheck, now: number): number {
  if (check.status !== 'down') return Number.POSITIVE_INFINITY
  const next = nextExpected(check, 'down', now) ?? Number.POSITIVE_INFINITY
  return Math.min(next, check.acknowledged?.until ?? Number.POSITIVE_INFINITY)
}
