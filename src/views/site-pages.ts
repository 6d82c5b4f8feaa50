/** The pages that the navigation and the search lead to. */
import { checkLabel } from '../core/alerts/alert.js'
import type { PageContext } from './page-context.js'

/** The entries of the navigation to which pages belong. */
export type Section =
  | 'overview'
  | 'checks'
  | 'silences'
  | 'incidents'
  | 'timeline'
  | 'integrations'
  | 'log'
  | 'badges'
  | 'settings'
  | 'docs'
  | 'account'

/** A page; `path` is relative to the project's address, or to that of the site. `key`: after g, it goes to the page. */
export interface SitePage {
  section: Section
  path: string
  label: string
  key?: string
}

/** Where a link leads; `path` is relative to SITE_ROOT. */
export type PageLink = Pick<SitePage, 'path' | 'label'>

/** The pages of a project. */
export const PROJECT_PAGES: readonly SitePage[] = [
  { section: 'checks', path: 'checks', label: 'Checks', key: 'c' },
  { section: 'incidents', path: 'incidents', label: 'Incidents', key: 'i' },
  { section: 'timeline', path: 'timeline', label: 'Timeline', key: 't' },
  { section: 'silences', path: 'silences', label: 'Silences', key: 's' },
  { section: 'integrations', path: 'integrations', label: 'Integrations', key: 'n' },
  { section: 'log', path: 'log', label: 'Log', key: 'l' },
  { section: 'badges', path: 'badges', label: 'Badges', key: 'b' },
  { section: 'settings', path: 'settings', label: 'Settings', key: 'e' },
]

/** A page of checks for a big screen: how to open it, or with keys in its address the display itself. */
export const WALL_PAGE: SitePage = { section: 'checks', path: '/tv/', label: 'Wall display' }

/** The reader's projects. */
export const PROJECTS_PAGE: SitePage = {
  section: 'overview',
  path: '/projects/',
  label: 'Projects',
  key: 'p',
}

/** The pages about all projects of the reader. */
export const ALL_PROJECTS_PAGES: readonly SitePage[] = [
  PROJECTS_PAGE,
  { section: 'checks', path: '/checks/', label: 'All checks', key: 'c' },
  { section: 'incidents', path: '/incidents/', label: 'Incidents', key: 'i' },
  { section: 'timeline', path: '/timeline/', label: 'Timeline', key: 't' },
]

export const DOCS_PAGE: SitePage = { section: 'docs', path: '/docs/', label: 'Docs', key: 'd' }

export const ACCOUNT_PAGE: SitePage = {
  section: 'account',
  path: '/accounts/profile/',
  label: 'Account',
  key: 'a',
}

/** Other pages that the search finds. */
export const OTHER_PAGES: readonly SitePage[] = [
  WALL_PAGE,
  DOCS_PAGE,
  ACCOUNT_PAGE,
  { section: 'account', path: '/accounts/password/', label: 'Password' },
]

/** The page of an entry of the navigation: of the page's project, if it has one. */
export function sectionPage({ project }: Pick<PageContext, 'project'>, section: Section): PageLink {
  const found = [...(project ? PROJECT_PAGES : ALL_PROJECTS_PAGES), ACCOUNT_PAGE].find(
    known => known.section === section,
  )
  if (!found) throw new Error(`the navigation of this page has no ${section}`)
  const isOfProject = project && found !== ACCOUNT_PAGE
  return { label: found.label, path: isOfProject ? `/projects/${project.uuid}/${found.path}/` : found.path }
}

/** The wall display: that of a project for its members, without one the page that leads to them. */
export function wallPage(project: { uuid: string } | null): PageLink {
  return project ? { ...WALL_PAGE, path: `/projects/${project.uuid}/wall/` } : WALL_PAGE
}

/** The page of a check. */
export function checkPage(check: Parameters<typeof checkLabel>[0] & { uuid: string }): PageLink {
  return { path: `/checks/${check.uuid}/details/`, label: checkLabel(check) }
}
