import type { Status } from '../../../core/checks/check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { InlineCode } from '../../components/inline-code.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** The states that have tiles; a fine check is a dot. */
const STATUSES: readonly Status[] = ['down', 'grace', 'up']

/** A display for a wall. A script fills it, with the read-only keys in its address. */
export function WallPage({ page }: { page: PageContext }) {
  return (
    <Layout page={page} title="Wall display" scripts={['wall']} measure="full" bare>
      <h1 class="sr-only">Wall display</h1>
      <div id="wall" class="wall" data-api={link(page, '/tv/checks/')} hidden>
        <header class="wall-head">
          <p id="wall-words" class="wall-words" role="status" />
          <p class="wall-clock">
            <time id="wall-clock" /> <span id="wall-zone" />
          </p>
        </header>
        <p id="wall-trouble" class="wall-trouble" role="alert" />
        <ul id="wall-tiles" class="wall-tiles" />
        <div id="wall-mosaic" class="wall-mosaic" />
      </div>
      <div id="wall-help" class="empty wall-help">
        <h2>Wall display</h2>
        <p>A page for a big screen: the checks that are down or late in large type, the others as dots.</p>
        <p>
          To open it for a project, create a read-only key in the project’s <b>Settings</b>, under{' '}
          <b>API keys</b>. The link beside the new key leads here. The{' '}
          <a href={link(page, '/docs/self-hosting/#a-display-on-the-wall')}>docs</a> say more.
        </p>
        {page.projects.length === 0 ? null : (
          <ul>
            {page.projects.map(project => (
              <li>
                <a href={link(page, `/projects/${project.uuid}/settings/#keys`)}>
                  API keys of {projectLabel(project)}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p>
          <InlineCode text="For several projects, add their keys and titles to the URL of this page: `#KEY=Production&KEY2=Backups`. Add `&theme=dark` or `&theme=light` to choose the theme, and `&tz=Europe/Riga` for a time zone other than the browser's." />
        </p>
        <p>
          The browser sends the keys only to this server, to ask for the checks, and they appear in no log of
          addresses.
        </p>
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
