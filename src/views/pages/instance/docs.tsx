import { raw } from 'hono/html'
import type { PropsWithChildren } from 'hono/jsx'
import { plural } from '../../../core/text/plural.js'
import { Button } from '../../components/forms/button.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** A document in the list on the left; its address is `/docs/PATH/`. */
export interface DocEntry {
  path: string
  title: string
}

interface FrameProps {
  page: PageContext
  title: string
  docs: readonly DocEntry[]
  /** The path of the current document. */
  current: string
  query?: string
}

/** The frame of the documents: the list of all documents, and the search. */
export function DocsFrame({
  page,
  title,
  docs,
  current,
  query = '',
  children,
}: PropsWithChildren<FrameProps>) {
  const groups = [
    { label: 'Guides', entries: docs.filter(doc => !doc.path.startsWith('integrations/')) },
    { label: 'Integrations', entries: docs.filter(doc => doc.path.startsWith('integrations/')) },
  ]
  return (
    <Layout page={page} title={title} section="docs">
      <div class="docs">
        <div class="docs-side" id="documents">
          <form method="get" action={link(page, '/docs/search/')} class="docs-search">
            <label class="sr-only" for="docs-q">
              Search the docs
            </label>
            <input id="docs-q" type="search" name="q" value={query} placeholder="Search" />
            <Button small>Search</Button>
          </form>
          <nav aria-label="Documents">
            {groups.map(({ label, entries }) => (
              <>
                <h2>{label}</h2>
                <ul>
                  {entries.map(entry => (
                    <li>
                      <a
                        href={link(page, `/docs/${entry.path}/`)}
                        aria-current={entry.path === current ? 'page' : undefined}
                      >
                        {entry.title}
                      </a>
                    </li>
                  ))}
                </ul>
              </>
            ))}
          </nav>
        </div>
        <div class="docs-main">
          <p class="docs-jump">
            <a href="#documents">Search and all documents</a>
          </p>
          {children}
        </div>
      </div>
    </Layout>
  )
}

interface DocProps {
  page: PageContext
  docs: readonly DocEntry[]
  doc: DocEntry & {
    /** Rendered from one of our own files. */
    html: string
    sections: readonly { id: string; heading: string }[]
  }
}

/** One document. */
export function DocPage({ page, docs, doc }: DocProps) {
  return (
    <DocsFrame page={page} title={doc.title} docs={docs} current={doc.path}>
      <article class="doc">{raw(doc.html)}</article>
    </DocsFrame>
  )
}

interface SearchProps {
  page: PageContext
  docs: readonly DocEntry[]
  query: string
  hits: readonly { title: string; heading: string; path: string; id: string; excerpt: string }[]
}

/** The results of a search in the documents. */
export function DocsSearchPage({ page, docs, query, hits }: SearchProps) {
  return (
    <DocsFrame page={page} title="Search" docs={docs} current="" query={query}>
      <PageHead title="Search" lead={summary(query, hits.length)} />
      <ol class="hits">
        {hits.map(hit => (
          <li>
            <a class="name" href={link(page, `/docs/${hit.path}/${hit.id ? `#${hit.id}` : ''}`)}>
              {hit.heading ? `${hit.title}: ${hit.heading}` : hit.title}
            </a>
            <span class="under">{hit.excerpt}</span>
          </li>
        ))}
      </ol>
    </DocsFrame>
  )
}

function summary(query: string, count: number): string {
  if (query === '') return 'Enter a search term.'
  if (count === 0) return `No results for “${query}”.`
  return `${plural(count, 'result')} for “${query}”.`
}
