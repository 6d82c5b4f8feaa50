import { link, type PageContext } from '../page-context.js'

/** Where a page's changes come from; see http/web/live/live.ts. */
export interface Live {
  /** A path of this site. */
  path: string
  version: string
}

/** Tells the script of live pages what to listen to; out of sight. */
export function LiveMark({ page, live }: { page: Pick<PageContext, 'base'>; live: Live }) {
  return <span hidden data-live={link(page, live.path)} data-version={live.version} />
}
