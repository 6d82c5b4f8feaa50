import { projectLabel } from '../../../core/projects/project-label.js'
import { folded, matchFuzzily } from '../../../core/text/match-words.js'
import type { ProjectEntry } from '../../../storage/people/access.js'
import type { FoundOption } from '../../../views/search-results.js'
import { ALL_PROJECTS_PAGES, OTHER_PAGES, PROJECT_PAGES } from '../../../views/site-pages.js'
import type { Asked } from './read-search.js'

interface Page {
  label: string
  path: string
  detail?: string
  /** Of the project where the reader is. */
  isHere?: boolean
}

/** How much better a page is that the reader used last, and one of the project where they are. */
const RECENT = 0.3
const HERE = 0.1

/** The best pages for the words; without words those used last, then those of the project where the reader is. */
export function findPages({ query, within, current, recent }: Asked, limit: number): FoundOption[] {
  const { words } = query
  const scored = pagesOf(within, current?.uuid).flatMap(page => {
    const used = recent.includes(page.path) ? RECENT * (1 - recent.indexOf(page.path) / recent.length) : 0
    const extra = used + (page.isHere ? HERE : 0)
    if (words.length === 0) return extra > 0 ? [{ page, score: extra }] : []
    const score = matchFuzzily(folded(`${page.label}\n${page.detail ?? ''}`), words)
    return score > 0 ? [{ page, score: score + extra }] : []
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ page: { label, path, detail } }) => ({
      kind: 'page',
      label,
      path,
      ...(detail ? { detail } : {}),
    }))
}

function pagesOf(projects: readonly ProjectEntry[], current: string | undefined): Page[] {
  const ofProjects = projects.flatMap((project): Page[] => {
    const name = projectLabel(project)
    const home = `/projects/${project.uuid}/`
    const isHere = project.uuid === current
    const own = { label: name, path: `${home}checks/`, detail: 'Project' }
    const parts = PROJECT_PAGES.map(({ path, label }) => ({
      ...{ label, path: `${home}${path}/`, detail: name, isHere },
    }))
    return [own, ...parts.filter(({ path }) => isHere || path !== own.path)]
  })
  return [...ofProjects, ...ALL_PROJECTS_PAGES, ...OTHER_PAGES]
}
