import { troubleIn } from '../../../../core/checks/listed-check.js'
import { Refusal } from '../../../../core/errors.js'
import { rowId } from '../../../../views/components/checks/list/check-row.js'
import { Summary } from '../../../../views/components/checks/summary.js'
import type { WebContext } from '../../context.js'
import { type LiveChange, requireRole, stream } from '../../live/live.js'
import { pageContext } from '../../page-context.js'
import { type Fingerprints, fingerprintsOf, listVersion, readList } from './list-data.js'
import { ListOrder } from './list-order.js'
import { projectParts, projectsOf, readParts, renderRows, withId } from './list-rows.js'
import { type ScopeProject, scopeOf } from './list-scope.js'

/** GET: changes in the rows of a page of the list, and in the summary above it. */
export async function streamList(c: WebContext): Promise<Response> {
  const scope = await scopeOf(c)
  const page = await pageContext(c, scope.single)
  const { store, clock } = c.var.deps
  const { list, rows, query } = await readList(c, scope, page.now)
  const ids = scope.projects.map(({ id }) => id)
  const uuids = [...new Set(rows.map(({ uuid }) => uuid))]
  const projects = projectsOf(scope, rows)

  const readAt = async (now: number) => {
    const [fingerprints, counts, known] = await Promise.all([
      store.checks.fingerprints(ids, uuids, now),
      store.checks.stateCounts(ids, now),
      readParts(c, projects, now),
    ])
    const parts = projectParts(c, projects, { ...page, now }, known)
    return { fingerprints, counts, parts, version: listVersion(fingerprints, counts, parts) }
  }
  const parts = projectParts(c, projects, page, await readParts(c, projects, page.now))
  const fingerprints = fingerprintsOf(rows)
  const version = listVersion(fingerprints, list.counts, parts)
  let seen = { fingerprints, counts: list.counts, parts, version }

  const shownAt = (prints: Fingerprints, some: readonly string[] = uuids) =>
    some.flatMap(uuid => (prints[uuid] ? [{ uuid, trouble: troubleIn(prints[uuid]) }] : []))
  const order = new ListOrder({ checks: shownAt(fingerprints), counts: list.counts })

  const look = async () => {
    const now = clock.now()
    const found = await readAt(now)
    if (found.version === seen.version) return null
    const before = seen
    seen = found
    const changed = rows.filter(
      ({ uuid, project }) =>
        found.fingerprints[uuid] !== before.fingerprints[uuid] ||
        found.parts.get(project)?.version !== before.parts.get(project)?.version,
    )
    const { counts } = found
    const change: LiveChange = {
      version: found.version,
      problems: counts.down,
      elements: { summary: String(Summary({ counts })) },
      // The headings of groups have counts of their own.
      anew:
        counts.all !== before.counts.all ||
        (query.group !== null && JSON.stringify(counts) !== JSON.stringify(before.counts)),
    }
    const fresh = shownAt(
      found.fingerprints,
      changed.map(({ uuid }) => uuid),
    )
    if (order.mayDiffer(fresh, counts) && query.group === null) {
      const sorted = (await readList(c, scope, now)).rows.map(({ uuid }) => uuid)
      if (order.hasOthers(sorted)) change.anew = true
      else change.order = sorted.map(uuid => rowId(uuid))
    }
    const current = changed.map(row => ({ ...row, fingerprint: found.fingerprints[row.uuid] ?? '' }))
    const html = await renderRows(c, scope, current, found.parts, now)
    const copies = new Map<string, number>()
    for (const { uuid } of rows) {
      const copy = (copies.get(uuid) ?? 0) + 1
      copies.set(uuid, copy)
      const row = html.get(uuid)
      if (row !== undefined) change.elements[rowId(uuid, copy)] = withId(row, uuid, copy)
    }
    return change
  }
  return stream(c, version, { look, mayRead: () => mayStillRead(c, scope.projects) })
}

/** Throws a `Refusal` once the reader's projects, or their roles there, are not those of the list any more. */
async function mayStillRead(c: WebContext, before: readonly ScopeProject[]): Promise<void> {
  const { projects } = await scopeOf(c)
  const changed = new Refusal('not-found', 'the projects have changed')
  if (projects.length !== before.length) throw changed
  for (const project of before) {
    const now = projects.find(({ id }) => id === project.id)
    if (!now) throw changed
    requireRole(project, now)
  }
}
