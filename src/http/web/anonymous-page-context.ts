import type { PageContext } from '../../views/page-context.js'
import type { AppDeps } from '../deps.js'
import { basePath } from '../url.js'

/** The page context for a visitor about whom nothing is known. */
export function anonymousPageContext({ config, clock }: Pick<AppDeps, 'config' | 'clock'>): PageContext {
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
