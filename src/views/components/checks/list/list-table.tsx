import { raw } from 'hono/html'
import type { ListSort } from '../../../../core/checks/check-list.js'
import type { ListSection } from '../../../../core/checks/list-groups.js'
import type { ChecksPage } from '../../../../core/checks/listed-check.js'
import { suggestedTags } from '../../../../core/checks/suggested-tags.js'
import { may } from '../../../../core/people/role.js'
import { plural } from '../../../../core/text/plural.js'
import { isFiltered, listSearch, type ShownQuery } from '../../../check-list-query.js'
import { link, mayWrite, type PageContext } from '../../../page-context.js'
import type { SignedChannel } from '../../channels/channel-toggle.js'
import { PostForm } from '../../forms/post-form.js'
import { type Column, Table } from '../../table.js'
import { BulkBar } from './bulk-bar.js'
import { GroupHeading } from './group-heading.js'

interface Props {
  page: PageContext
  /** The path of the list. */
  here: string
  query: ShownQuery
  list: Omit<ChecksPage, 'sections'>
  /** The rows as HTML. */
  sections: readonly ListSection<string>[]
  /** The names of groups that are not named by their key. */
  groupNames: ReadonlyMap<string, string>
  channels: readonly SignedChannel[]
  /** The number of checks on a page. */
  pageSize: number
  caption: string
}

/** The rows of a page of a list of checks, with the actions on chosen ones. */
export function ListTable(props: Props) {
  const { page, here, query, list, sections } = props
  const isMixed = page.project === null
  const mayPick = mayPickIn(page)
  const all = columns(page, query, here)
  const shown = sections.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <PostForm
      page={page}
      action={`${here}bulk/${listSearch(query, { page: query.page })}`}
      class="checks"
      id="checks"
    >
      {mayPick ? (
        <BulkBar
          page={page}
          edit={`${here}bulk/edit/${listSearch(query, { page: query.page })}`}
          isMixed={isMixed}
          channels={props.channels}
          tags={suggestedTags(list.tags)}
          found={list.found}
          shown={shown}
        />
      ) : null}
      {mayPick ? <ChooseSwitch /> : null}
      <Table columns={all} caption={props.caption}>
        {sections.map(section => (
          <>
            {section.group === null ? null : (
              <GroupHeading
                page={page}
                here={here}
                query={query}
                group={section.group}
                name={props.groupNames.get(section.group.key) ?? section.group.key}
                isFolded={section.isFolded}
                columns={all.length}
              />
            )}
            {raw(section.rows.join(''))}
          </>
        ))}
      </Table>
      <Pager {...props} shown={shown} />
    </PostForm>
  )
}

/** Whether checks can be chosen: in some of its projects the reader may change checks. */
function mayPickIn(page: PageContext): boolean {
  return page.project ? mayWrite(page) : page.projects.some(({ role }) => may(role, 'write'))
}

/** On a phone the checkboxes are hidden until the user wants to select. */
function ChooseSwitch() {
  return (
    <label class="choosing">
      <input type="checkbox" /> Select
    </label>
  )
}

function ChooseAll() {
  return (
    <>
      <span class="sr-only">Select</span>
      <input type="checkbox" data-choose-all aria-label="Select all on this page" hidden />
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
    ...(mayWrite(page) || page.project === null ? picks : []),
    { title: 'Status', silent: true },
    { title: sorted('name', '-name', 'Name'), grow: true },
    { title: 'Last 30 runs', wide: true, name: 'runs' },
    { title: sorted('-last_ping', 'last_ping', 'Last ping'), wide: true },
    { title: sorted('next', 'next', 'Expected'), wide: true },
    { title: 'Schedule', wide: true, name: 'schedule' },
    { title: 'Integrations', wide: true, name: 'integrations' },
    ...(mayWrite(page) || page.project === null ? menu : []),
  ]
}

function Pager({ page, list, query, here, shown, pageSize }: Props & { shown: number }) {
  const first = (list.page - 1) * pageSize + 1
  const to = (number: number) => link(page, here + listSearch(query, { page: number }))
  const all = plural(list.counts.all, 'check')
  const of = isFiltered(query) ? `${list.found} of ${all}` : plural(list.found, 'check')
  return (
    <nav class="pager" aria-label="Pages">
      <span class="muted">
        {list.pages === 1 || query.group !== null ? of : `${first}–${first + shown - 1} of ${of}`}
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
