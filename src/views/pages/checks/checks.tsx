import type { ListSection } from '../../../core/checks/list-groups.js'
import type { ChecksPage } from '../../../core/checks/listed-check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { listSearch, type ShownQuery } from '../../check-list-query.js'
import { ChannelSigns } from '../../components/channels/channel-signs.js'
import type { SignedChannel } from '../../components/channels/channel-toggle.js'
import { ListFilters, STATES } from '../../components/checks/list/list-filters.js'
import { ListTable } from '../../components/checks/list/list-table.js'
import { Summary, summaryWords } from '../../components/checks/summary.js'
import { CopyLine } from '../../components/copy.js'
import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { LIST_KEYS } from '../../components/keys.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { PROJECTS_PAGE, WALL_PAGE, wallPage } from '../../site-pages.js'

interface Props {
  page: PageContext
  /** The path of the list. */
  here: string
  /** The project of the list; null if it has the checks of all projects of the reader. */
  single: { uuid: string; name: string } | null
  projects: readonly { uuid: string; name: string }[]
  list: Omit<ChecksPage, 'sections'>
  /** The rows of the page as HTML. */
  sections: readonly ListSection<string>[]
  query: ShownQuery
  /** See http/web/live/live.ts. */
  version: string
  /** The channels of the project; empty if the list is of all projects. */
  channels: readonly SignedChannel[]
  /** The logos of the kinds. */
  logos: Readonly<Record<string, string>>
  /** An address that creates a check when it is pinged; null if the project has no ping key. */
  firstPing: string | null
  /** Whether some check depends on another. */
  hasDependencies: boolean
}

/** The checks of a project, or of all projects of the reader. */
export function ChecksPageView(props: Props) {
  const { page, single, list, query, here } = props
  return (
    <Layout
      title={summaryWords(list.counts)}
      page={page}
      section="checks"
      measure="full"
      keys={LIST_KEYS}
      skip={list.counts.all > 0 ? { to: 'list', words: 'Skip to the list' } : undefined}
      scripts={['live', 'list-order', 'list-keys', 'list-picks', 'list-search', 'bulk-edit', 'words']}
    >
      <ChannelSigns logos={props.logos} />
      <header
        class="page-head"
        data-live={link(page, `${here}live/${listSearch(query, { page: query.page })}`)}
        data-version={props.version}
      >
        <div>
          <Summary counts={list.counts} />
          <p class="lead">
            {single ? projectLabel(single) : 'All projects'} <span id="moved" class="moved" role="status" />
          </p>
        </div>
        <div class="actions">
          {list.counts.all > 0 ? (
            <span class="wall-link">
              <ButtonLink look="quiet" href={link(page, wallPage(single).path)}>
                {WALL_PAGE.label}
              </ButtonLink>
            </span>
          ) : null}
          {single && props.hasDependencies ? (
            <ButtonLink href={link(page, `/projects/${single.uuid}/dependencies/`)}>Dependencies</ButtonLink>
          ) : null}
          {mayWrite(page) ? (
            <ButtonLink look="primary" href={link(page, `${here}add/`)} shortcut="n">
              New check
            </ButtonLink>
          ) : null}
        </div>
      </header>
      {list.counts.all === 0 ? <FirstCheck {...props} /> : null}
      {list.counts.all > 0 ? (
        <>
          <ListFilters page={page} here={here} list={list} query={query} isMixed={single === null} />
          <div id="list" tabindex={-1}>
            <List {...props} />
          </div>
        </>
      ) : null}
    </Layout>
  )
}

function FirstCheck({ page, single, firstPing }: Props) {
  if (single === null) {
    return (
      <EmptyState title="No checks yet">
        <p>
          <a href={link(page, PROJECTS_PAGE.path)}>Choose a project</a> and create its first check there.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Create your first check with one ping">
      {firstPing ? (
        <>
          <p>Run this command on the machine whose job you want to monitor. The check then appears here.</p>
          <CopyLine text={`curl -fsS -m 10 --retry 5 '${firstPing}'`} label="the command" />
        </>
      ) : null}
      {mayWrite(page) ? (
        <p>
          Or <a href={link(page, `/projects/${single.uuid}/checks/add/`)}>create a check</a>: its page has the
          commands for crontab, systemd, Kubernetes and others, and says when the first ping arrives. Or{' '}
          <a href={link(page, `/projects/${single.uuid}/checks/crontab/`)}>paste a crontab</a>: every job gets
          a check.
        </p>
      ) : null}
    </EmptyState>
  )
}

function List(props: Props) {
  const { page, single, list, here } = props
  if (list.found === 0) {
    return (
      <EmptyState title="No checks match">
        <p>
          {list.counts.all === 1
            ? `The only check ${single ? 'of this project' : 'of your projects'} does not match the filters.`
            : `None of the ${list.counts.all} checks ${single ? 'of this project' : 'of your projects'} matches the filters.`}{' '}
          <a href={link(page, here)}>Clear filters</a>
        </p>
      </EmptyState>
    )
  }
  return (
    <ListTable
      {...props}
      groupNames={groupNames(props)}
      pageSize={PAGE_SIZE}
      caption={single ? `Checks of ${projectLabel(single)}` : 'Checks of all projects'}
    />
  )
}

/** The names of groups by their keys. */
function groupNames({ projects, query }: Props): ReadonlyMap<string, string> {
  if (query.group === 'project') return new Map(projects.map(one => [one.uuid, projectLabel(one)]))
  if (query.group === 'state') return new Map(STATES.map(({ state, label }) => [state, label]))
  return new Map([['', 'No tag']])
}

/** The page size of the list. */
export const PAGE_SIZE = 100
