import { plural } from '../../../core/text/plural.js'
import type { PageContext } from '../../page-context.js'
import type { FoundGroup } from '../../search-results.js'
import { FoundOption } from './found-option.js'

interface Props {
  page: Pick<PageContext, 'base' | 'now'>
  /** The check that the results are about; null if none. */
  check: { name: string } | null
  groups: readonly FoundGroup[]
}

/** The results of the search as the groups of a listbox; `data-count` is announced. */
export function SearchOptions({ page, check, groups }: Props) {
  const count = groups.reduce((sum, { options }) => sum + options.length, 0)
  return (
    <div
      role="presentation"
      data-count={count === 0 ? 'Nothing found' : plural(count, 'result')}
      data-about={check?.name}
    >
      {groups.map(({ title, shown, options }, group) => (
        <fieldset aria-labelledby={`found-${group}`} class="found-group">
          <div role="presentation" class="found-title" id={`found-${group}`}>
            {title} {shown ? <span class="found-shown">{shown}</span> : null}
          </div>
          {options.map((option, index) => (
            <FoundOption page={page} option={option} id={`found-${group}-${index}`} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
