/** The pages that the navigation and the search lead to. */

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

/** A page; `path` is relative to the project's address, or to that of the site. */
export interface SitePage {
  section: Section
  path: string
  label: string
}

/** The pages of a project. */
export const PROJECT_PAGES: readonly SitePage[] = [
  { section: 'checks', path: 'checks', label: 'Checks' },
  { section: 'incidents', path: 'incidents', label: 'Incidents' },
  { section: 'timeline', path: 'timeline', label: 'Timeline' },
  { section: 'silences', path: 'silences', label: 'Silences' },
  { section: 'integrations', path: 'integrations', label: 'Integrations' },
  { section: 'log', path: 'log', label: 'Log' },
  { section: 'badges', path: 'badges', label: 'Badges' },
  { section: 'settings', path: 'settings', label: 'Settings' },
]

/** A page of a project's checks for a big screen. It asks for an API key, in the browser that shows it. */
export const WALL_PAGE: SitePage = { section: 'checks', path: '/tv/', label: 'Wall display' }

/** The pages about all projects of the reader. */
export const ALL_PROJECTS_PAGES: readonly SitePage[] = [
  { section: 'overview', path: '/', label: 'Projects' },
  { section: 'checks', path: '/checks/', label: 'All checks' },
  { section: 'incidents', path: '/incidents/', label: 'Incidents' },
  { section: 'timeline', path: '/timeline/', label: 'Timeline' },
]

/** Other pages that the search finds. */
export const OTHER_PAGES: readonly SitePage[] = [
  WALL_PAGE,
  { section: 'docs', path: '/docs/', label: 'Docs' },
  { section: 'account', path: '/accounts/profile/', label: 'Account' },
  { section: 'account', path: '/accounts/password/', label: 'Password' },
]
