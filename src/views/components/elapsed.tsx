import { roughLength } from '../../core/time/relative-time.js'
import type { PageContext } from '../page-context.js'

/** How long ago an instant was, as a length: `36 min`. A script keeps it fresh. */
export function Elapsed({ page, since }: { page: Pick<PageContext, 'now'>; since: number }) {
  return (
    <time class="figure" datetime={new Date(since).toISOString()} data-elapsed>
      {roughLength(page.now - since)}
    </time>
  )
}
