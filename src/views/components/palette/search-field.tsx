import { link, type PageContext } from '../../page-context.js'
import { Button } from '../forms/button.js'

interface Props {
  page: Pick<PageContext, 'base'>
  query?: string
  /** The UUID of the check that the search is about. */
  check?: string | undefined
}

/** The field that searches the whole site. */
export function SearchField({ page, query = '', check }: Props) {
  return (
    <form method="get" action={link(page, '/search/')} class="site-search">
      {check ? <input type="hidden" name="check" value={check} /> : null}
      <input
        type="search"
        name="q"
        value={query}
        maxlength={100}
        placeholder="Search checks, actions and pages"
        aria-label="Search everything"
      />
      <Button>Search</Button>
    </form>
  )
}
