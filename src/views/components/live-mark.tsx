import { link, type PageContext } from '../page-context.js'

/** The stream with a page's changes; see http/web/live/live.ts. */
export interface Live {
  /** A path of this site. */
  path: string
  version: string
}

/** Tells the script of live pages which stream to read. Not visible. */
export function LiveMark({ page, live }: { page: Pick<PageContext, 'base'>; live: Live }) {
  return <span hidden data-live={link(page, live.path)} data-version={live.version} />
}
