import type { GroupCount } from '../../../../core/checks/list-groups.js'
import { plural } from '../../../../core/text/plural.js'
import { listSearch, type ShownQuery } from '../../../check-list-query.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  /** The path of the list. */
  here: string
  query: ShownQuery
  group: GroupCount
  name: string
  isFolded: boolean
  /** The number of columns of the table. */
  columns: number
}

/** The heading of a group of checks, which hides and shows its rows: `prod 12, 2 down`. */
export function GroupHeading({ page, here, query, group, name, isFolded, columns }: Props) {
  const { key, checks, down, late } = group
  const folded = isFolded ? query.folded.filter(one => one !== key) : [...query.folded, key]
  return (
    <tr class="group" id={`g-${key}`} data-part>
      <th scope="rowgroup" colspan={columns}>
        <a
          class={isFolded ? 'fold' : 'fold is-open'}
          href={link(page, here + listSearch(query, { folded, page: query.page }))}
          title={isFolded ? 'Show the checks' : 'Hide the checks'}
          data-swap
        >
          {name}
        </a>
        <span class="count" title={plural(checks, 'check')}>
          {checks}
        </span>
        {down > 0 ? <span class="is-bad">{down} down</span> : null}
        {late > 0 ? <span class="warn">{late} late</span> : null}
      </th>
    </tr>
  )
}
