import type { Status } from '../../../core/checks/check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { Crumb } from '../../components/crumb.js'
import { InlineCode } from '../../components/inline-code.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { WALL_PAGE, wallPage } from '../../site-pages.js'

/** The states that have tiles; a fine check is a dot. */
const STATUSES: readonly Status[] = ['down', 'grace', 'up']

interface Props {
  page: PageContext
}

/**
 * A display for a wall, which a script fills: for members of the page's project, or without one for anyone with read-only keys, which
 * are in the address.
 */
export function WallPage({ page }: Props) {
  const { project } = page
  const own = project ? link(page, `/projects/${project.uuid}/wall/checks/`) : undefined
  return (
    <Layout page={page} title="Wall display" scripts={['wall']} measure="full" bare>
      <h1 class="sr-only">Wall display</h1>
      <div id="wall" class="wall" data-api={link(page, '/tv/checks/')} data-own={own} hidden={!own}>
        <header class="wall-head">
          <p id="wall-words" class="wall-words" role="status" />
          <p class="wall-clock">
            <time id="wall-clock" /> <span id="wall-zone" />
          </p>
        </header>
        <p id="wall-trouble" class="wall-trouble" role="alert" />
        <ul id="wall-tiles" class="wall-tiles" />
        <div id="wall-mosaic" class="wall-mosaic" />
        {project ? (
          <nav class="wall-ways" aria-label="Ways on">
            <a href={link(page, `/projects/${project.uuid}/checks/`)}>Checks of {projectLabel(project)}</a>
            <a href={link(page, WALL_PAGE.path)}>On a screen where nobody is signed in</a>
          </nav>
        ) : null}
      </div>
      {project ? null : <Help page={page} />}
      <noscript>
        <p>This page needs JavaScript.</p>
      </noscript>
      {STATUSES.map(status => (
        <template id={`glyph-${status}`}>
          <StatusGlyph status={status} />
        </template>
      ))}
    </Layout>
  )
}

/** How to open it. */
function Help({ page }: Props) {
  return (
    <div id="wall-help" class="empty wall-help">
      {page.user ? <Crumb page={page} parent="overview" /> : null}
      <h2>Wall display</h2>
      <p>A page for a big screen: the checks that are down or late in large type, the others as dots.</p>
      {page.projects.length === 0 ? null : (
        <ul>
          {page.projects.map(project => (
            <li>
              <a href={link(page, wallPage(project).path)}>{projectLabel(project)}</a>,{' '}
              <a href={link(page, `/projects/${project.uuid}/settings/#keys`)}>its API keys</a>
            </li>
          ))}
        </ul>
      )}
      <p>
        On a screen where nobody is signed in, it needs a read-only key. Create one in the project’s{' '}
        <b>Settings</b>, under <b>API keys</b>. The link beside the new key leads here. The{' '}
        <a href={link(page, '/docs/self-hosting/#a-display-on-the-wall')}>docs</a> say more.
      </p>
      <p>
        <InlineCode text="For several projects, add their keys and titles to the URL of this page: `#KEY=Production&KEY2=Backups`. Add `&theme=dark` or `&theme=light` to choose the theme, and `&tz=Europe/Riga` for a time zone other than the browser's." />
      </p>
      <p>
        The browser sends the keys only to this server, to ask for the checks, and they appear in no log of
        addresses.
      </p>
    </div>
  )
}
