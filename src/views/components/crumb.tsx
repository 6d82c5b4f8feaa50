import { link, type PageContext } from '../page-context.js'
import { type PageLink, type Section, sectionPage } from '../site-pages.js'

interface Props {
  page: PageContext
  /** An entry of the navigation, or another page. */
  parent: Section | PageLink
}

/** The way back from a page that no navigation leads to: a link to the page above it. */
export function Crumb({ page, parent }: Props) {
  const { path, label } = typeof parent === 'string' ? sectionPage(page, parent) : parent
  return (
    <nav class="crumb" aria-label="Page above">
      <a href={link(page, path)}>{label}</a>
    </nav>
  )
}
