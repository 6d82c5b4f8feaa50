import type { ListSort } from '../../../core/checks/check-list.js'
import type { ChecksPage } from '../../../core/checks/listed-check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { plural } from '../../../core/text/plural.js'
import { isFiltered, listSearch, type ShownQuery } from '../../check-list-query.js'
import { ChannelSigns } from '../../components/channels/channel-signs.js'
import type { SignedChannel } from '../../components/channels/channel-toggle.js'
import { BulkBar } from '../../components/checks/bulk-bar.js'
import { CheckRow } from '../../components/checks/check-row.js'
import { ListFilters } from '../../components/checks/list-filters.js'
import { ListKeys } from '../../components/checks/list-keys.js'
import { Summary, summaryWords } from '../../components/checks/summary.js'
import { CopyLine } from '../../components/copy.js'
import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { type Column, Table } from '../../components/table.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  project: { uuid: string; name: string }
  list: ChecksPage
  query: ShownQuery
  /** See http/web/live/live.ts. */
  version: string
  channels: readonly SignedChannel[]
  /** The logos of the kinds. */
  logos: Readonly<Record<string, string>>
  /** The silences of the project that are active. */
  silences: readonly ShownSilence[]
  /** The beginning of every ping address. */
  pingEndpoint: string
  /** An address that creates a check when it is pinged; null if the project has no ping key. */
  firstPing: string | null
  /** Whether some check depends on another. */
  hasDependencies: boolean
}

/** The checks of a project. */
export function ChecksPageView(props: Props) {
  const { page, project, list, query } = props
  const here = `/projects/${project.uuid}/checks/`
  return (
    <Layout
      title={summaryWords(list.counts)}
      page={page}
      section="checks"
      measure="full"
      scripts={['live', 'list-order', 'list-keys', 'list-picks']}
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
            {projectLabel(project)} <span id="moved" class="moved" role="status" />
          </p>
        </div>
        <div class="actions">
          {props.hasDependencies ? (
            <ButtonLink href={link(page, `/projects/${project.uuid}/dependencies/`)}>Dependencies</ButtonLink>
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
          <ListFilters page={page} here={here} list={list} query={query} />
          <List {...props} here={here} />
        </>
      ) : null}
      <ListKeys />
    </Layout>
  )
}

function FirstCheck({ page, project, firstPing }: Props) {
  return (
    <EmptyState title="Make the first check by pinging it">
      {firstPing ? (
        <>
          <p>Run this line on the machine whose job you want to watch. The check appears here by itself.</p>
          <CopyLine text={`curl -fsS -m 10 --retry 5 '${firstPing}'`} label="the command" />
        </>
      ) : null}
      {mayWrite(page) ? (
        <p>
          Or <a href={link(page, `/projects/${project.uuid}/checks/add/`)}>describe a check</a>, and then put
          its address into the job.
        </p>
      ) : null}
    </EmptyState>
  )
}

function List(props: Props & { here: string }) {
  const { page, project, list, query, channels, here } = props
  if (list.found === 0) {
    return (
      <EmptyState title="No check fits">
        <p>
          {list.counts.all === 1
            ? 'The check of this project is not like that.'
            : `None of the ${list.counts.all} checks of this project is like that.`}{' '}
          <a href={link(page, here)}>Show all</a>
        </p>
      </EmptyState>
    )
  }
  return (
    <PostForm
      page={page}
      action={`/projects/${project.uuid}/checks/bulk/${listSearch(query, { page: query.page })}`}
      class="checks"
      id="checks"
    >
      {mayWrite(page) ? <BulkBar channels={channels} found={list.found} shown={list.checks.length} /> : null}
      {mayWrite(page) ? <ChooseSwitch /> : null}
      <Table columns={columns(page, query, here)} caption={`Checks of ${projectLabel(project)}`}>
        {list.checks.map(check => (
          <CheckRow
            page={page}
            check={check}
            channels={channels}
            pingEndpoint={props.pingEndpoint}
            silences={props.silences}
          />
        ))}
      </Table>
      <Pager page={page} list={list} query={query} here={here} />
    </PostForm>
  )
}

/** On a phone the checkboxes are hidden until the user wants to select. */
function ChooseSwitch() {
  return (
    <label class="choosing">
      <input type="checkbox" /> Choose several
    </label>
  )
}

function ChooseAll() {
  return (
    <>
      <span class="sr-only">Choose</span>
      <input type="checkbox" data-choose-all aria-label="Choose all on this page" hidden />
    </>
  )
}

function columns(page: PageContext, query: ShownQuery, here: string): Column[] {
  const sorted = (sort: ListSort, other: ListSort, label: string) => {
    const current = query.sort === sort || query.sort === other
    const next = !current ? sort : query.sort === sort && other !== sort ? other : 'state'
    const arrow = !current ? '' : query.sort.startsWith('-') ? ' ↓' : ' ↑'
    return (
      <a
        class="sort"
        href={link(page, here + listSearch(query, { sort: next }))}
        aria-current={current ? 'true' : undefined}
      >
        {label}
        {arrow}
      </a>
    )
  }
  const picks: Column[] = [{ title: <ChooseAll />, pick: true }]
  const menu: Column[] = [{ title: 'Actions', silent: true }]
  return [
    ...(mayWrite(page) ? picks : []),
    { title: 'Status', silent: true },
    { title: sorted('name', '-name', 'Name'), grow: true },
    { title: 'Last 30 runs', wide: true, name: 'runs' },
    { title: sorted('-last_ping', 'last_ping', 'Last ping'), wide: true },
    { title: sorted('next', 'next', 'Expected'), wide: true },
    { title: 'Schedule', wide: true, name: 'schedule' },
    { title: 'Integrations', wide: true, name: 'integrations' },
    ...(mayWrite(page) ? menu : []),
  ]
}

function Pager({ page, list, query, here }: { here: string } & Pick<Props, 'page' | 'list' | 'query'>) {
  const first = (list.page - 1) * PAGE_SIZE + 1
  const to = (number: number) => link(page, here + listSearch(query, { page: number }))
  const all = plural(list.counts.all, 'check')
  const of = isFiltered(query) ? `${list.found} of ${all}` : plural(list.found, 'check')
  return (
    <nav class="pager" aria-label="Pages">
      <span class="muted">
        {list.pages === 1 ? of : `${first}–${first + list.checks.length - 1} of ${of}`}
      </span>
      {list.page > 1 ? (
        <a href={to(list.page - 1)} rel="prev">
          Previous
        </a>
      ) : null}
      {list.page < list.pages ? (
        <a href={to(list.page + 1)} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  )
}

/** The page size of the list. */
export const PAGE_SIZE = 100
