import {
  foldTags,
  LIST_GROUPS,
  type ListGroup,
  type ListState,
  type TagCount,
} from '../../../../core/checks/check-list.js'
import type { ChecksPage } from '../../../../core/checks/listed-check.js'
import { plural } from '../../../../core/text/plural.js'
import { listSearch, type ShownQuery, USUAL_SORT } from '../../../check-list-query.js'
import { link, type PageContext } from '../../../page-context.js'

/** The states in the order of the list. */
export const STATES: readonly { state: ListState; label: string }[] = [
  { state: 'down', label: 'Down' },
  { state: 'late', label: 'Late' },
  { state: 'running', label: 'Running' },
  { state: 'up', label: 'Up' },
  { state: 'new', label: 'New' },
  { state: 'paused', label: 'Paused' },
]

interface Props {
  page: PageContext
  /** The path of the list. */
  here: string
  list: Pick<ChecksPage, 'counts' | 'tags'>
  query: ShownQuery
  /** Whether the list has checks of several projects. */
  isMixed: boolean
}

const GROUPS: Record<ListGroup, string> = { state: 'State', tag: 'Tag', project: 'Project' }

/** The filters of the list of checks: a search, a status, tags. All of them are in the address. */
export function ListFilters({ page, here, list, query, isMixed }: Props) {
  const to = (changes: Partial<ShownQuery>) => link(page, here + listSearch(query, changes))
  const [shown, others] = foldTags(list.tags, query.tags)
  const tagLink = (count: TagCount) => {
    const on = query.tags.includes(count.tag)
    const next = on ? query.tags.filter(tag => tag !== count.tag) : [...query.tags, count.tag]
    const title = count.down > 0 ? `${count.down} of ${count.checks} down` : plural(count.checks, 'check')
    return (
      <a
        class={`tag tag-link${count.down > 0 ? ' tag-down' : ''}`}
        href={to({ tags: next })}
        aria-current={on ? 'true' : undefined}
        title={title}
      >
        {count.down > 0 ? <i class="tag-mark" /> : null}
        {count.tag}
        {count.down > 0 ? <span class="sr-only">, {title}</span> : null}
      </a>
    )
  }
  return (
    <div class="filters" id="filters" data-part>
      <form class="list-search" method="get" action={link(page, here)}>
        <input
          type="search"
          name="search"
          value={query.search}
          placeholder="Search name, tag, slug, UUID"
          aria-label="Search checks"
          maxlength={200}
          id="search"
        />
        {query.states.map(state => (
          <input type="hidden" name="status" value={state} />
        ))}
        {query.tags.map(tag => (
          <input type="hidden" name="tag" value={tag} />
        ))}
        {query.group === null ? null : <input type="hidden" name="group" value={query.group} />}
        {query.group === null
          ? null
          : query.folded.map(key => <input type="hidden" name="fold" value={key} />)}
        {query.sort === USUAL_SORT ? null : <input type="hidden" name="sort" value={query.sort} />}
      </form>
      <nav class="states" aria-label="Filter by status">
        <a href={to({ states: [] })} aria-current={query.states.length === 0 ? 'true' : undefined}>
          All <span class="count">{list.counts.all}</span>
        </a>
        {STATES.filter(({ state }) => list.counts[state] > 0 || query.states.includes(state)).map(
          ({ state, label }) => (
            <a
              href={to({ states: query.states.includes(state) ? [] : [state] })}
              aria-current={query.states.includes(state) ? 'true' : undefined}
            >
              {label} <span class="count">{list.counts[state]}</span>
            </a>
          ),
        )}
      </nav>
      <nav class="groups" aria-label="Group by">
        <span class="muted">Group by</span>
        {LIST_GROUPS.filter(group => group !== 'project' || isMixed).map(group => (
          <a
            href={to({ group: query.group === group ? null : group, folded: [] })}
            aria-current={query.group === group ? 'true' : undefined}
          >
            {GROUPS[group]}
          </a>
        ))}
      </nav>
      {list.tags.length > 0 ? (
        <nav class="tag-filter" aria-label="Filter by tag">
          {shown.map(tagLink)}
          {others.length > 0 ? (
            <details>
              <summary title={plural(others.length, 'more tag')}>
                +{others.length}
                <span class="sr-only"> more tags</span>
              </summary>
              {others.map(tagLink)}
            </details>
          ) : null}
        </nav>
      ) : null}
    </div>
  )
}
