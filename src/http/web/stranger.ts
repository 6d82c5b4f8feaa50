import type { PageContext } from '../../views/page-context.js'
import type { AppDeps } from '../deps.js'

/** What a page is told for somebody of whom nothing is known. */
export function strangerContext({ config, clock }: Pick<AppDeps, 'config' | 'clock'>): PageContext {
  return {
    user: null,
    project: null,
    projects: [],
    base: basePath(config.SITE_ROOT),
    siteName: config.SITE_NAME,
    csrf: '',
    now: clock.now(),
    problems: 0,
    flash: null,
  }
}

/** The path part of SITE_ROOT without a trailing slash; empty for none. */
export function basePath(siteRoot: string): string {
  return new URL(siteRoot).pathname.replace(/\/$/, '')
}
