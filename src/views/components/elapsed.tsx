import { roughLength } from '../../core/time/relative-time.js'
import type { PageContext } from '../page-context.js'

/** The time since an instant, as a duration: `36 min`. A script updates it. */
export function Elapsed({ page, since }: { page: Pick<PageContext, 'now'>; since: number }) {
  return (
    <time class="figure" datetime={new Date(since).toISOString()} data-elapsed>
      {roughLength(page.now - since)}
    </time>
  )
}
