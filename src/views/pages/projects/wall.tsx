import type { Status } from '../../../core/checks/check.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { InlineCode } from '../../components/inline-code.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

const STATUSES: readonly Status[] = ['down', 'grace', 'up', 'new', 'paused']

/** A display for a wall. A script fills it through the API, with the read-only keys in its address. */
export function WallPage({ page }: { page: PageContext }) {
  return (
    <Layout page={page} title="Wall display" scripts={['wall']} bare>
      <h1 class="sr-only">Wall display</h1>
      <div id="wall" data-api={link(page, '/api/v3/checks/')} />
      <div id="wall-help" class="empty">
        <h2>Checks for a wall</h2>
        <p>
          <InlineCode text="Put read-only API keys and what to call them after this address: `#KEY=Production&KEY2=Backups`. Add `&theme=dark` or `&theme=light` to pin the look." />
        </p>
        <p>The keys stay in this browser: what follows the # is never sent to a server.</p>
        <noscript>
          <p>This page needs JavaScript.</p>
        </noscript>
      </div>
      {STATUSES.map(status => (
        <template id={`glyph-${status}`}>
          <StatusGlyph status={status} />
        </template>
      ))}
    </Layout>
  )
}
