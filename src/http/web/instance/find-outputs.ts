import { searchLastOutputs } from '../../../actions/pings/search-outputs.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import type { FoundOutputs } from '../../../views/search-results.js'
import type { WebContext } from '../context.js'
import { confirmSession, requireUser } from '../people/session.js'
import { type Asked, hasPhrase } from './read-search.js'

/** The most outputs that are shown. */
const OUTPUTS = 20

/** The last outputs, of checks that the reader may see, that have what was typed; null if it is too short. */
export async function findOutputs(
  c: WebContext,
  { query, within, current }: Asked,
): Promise<FoundOutputs | null> {
  if (!hasPhrase(query)) return null
  const { store, bodies, clock } = c.var.deps
  const asked = { text: query.phrase, tags: query.tags, limit: OUTPUTS }
  const readable = async <P extends { id: number }>(projects: readonly P[]) => {
    await confirmSession(c)
    const now = await store.people.listProjects(requireUser(c).user.id)
    return projects.filter(({ id }) => now.some(project => project.id === id))
  }
  const deps = { store, bodies, readable }
  const { found, ...counts } = await searchLastOutputs(deps, within, asked, clock.now())
  const outputs = found.map(({ check, output, excerpt }) => {
    const of = within.find(({ uuid }) => uuid === check.project)!
    return {
      check,
      project: of.uuid === current?.uuid ? null : projectLabel(of),
      ...{ n: output.n, at: output.at, excerpt },
    }
  })
  return { text: query.phrase, outputs, ...counts }
}
