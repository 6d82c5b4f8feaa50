import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { FoundOption } from '../../components/palette/found-option.js'
import { OutputsFound } from '../../components/palette/outputs-found.js'
import { SearchField } from '../../components/palette/search-field.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import type { FoundGroup, FoundOutputs } from '../../search-results.js'

interface Props {
  page: PageContext
  query: string
  /** The check that the search is about; null if none. */
  check: { uuid: string; name: string } | null
  groups: readonly FoundGroup[]
  /** Null if outputs were not searched. */
  outputs: FoundOutputs | null
  /** The ends of the addresses of the pages before and after this one; null if there is none. */
  previous?: string | null
  next?: string | null
}

/** The search of the whole site without a script. */
export function SearchPage({ page, query, check, groups, outputs, previous = null, next = null }: Props) {
  return (
    <Layout page={page} title="Search" measure="read">
      <PageHead
        title={check ? `Actions for ${check.name}` : 'Search'}
        lead={
          <>
            Begin with <code>&gt;</code> for actions, <code>#</code> for a tag, <code>@</code> for a project,{' '}
            <code>?</code> for the docs.
          </>
        }
      />
      <SearchField page={page} query={query} check={check?.uuid} />
      {groups.length === 0 && query !== '' && !outputs?.outputs.length ? (
        <p>Nothing found for “{query}”.</p>
      ) : null}
      <PostForm page={page} action="/search/" class="search-results">
        {groups.map(({ title, shown, options }) => (
          <section>
            <h2>
              {title} {shown ? <span class="found-shown">{shown}</span> : null}
            </h2>
            <ul>
              {options.map(option => (
                <li>
                  <FoundOption page={page} option={option} />
                  {option.kind === 'check' ? (
                    <a
                      class="found-actions"
                      href={link(page, `/search/?check=${option.uuid}`)}
                      aria-label={`Actions for ${option.label}`}
                    >
                      Actions
                    </a>
                  ) : null}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </PostForm>
      {outputs ? <OutputsFound page={page} found={outputs} /> : null}
      {previous || next ? (
        <nav class="pager" aria-label="Pages">
          {previous ? (
            <a href={link(page, `/search/${previous}`)} rel="prev">
              Previous
            </a>
          ) : null}
          {next ? (
            <a href={link(page, `/search/${next}`)} rel="next">
              Next
            </a>
          ) : null}
        </nav>
      ) : null}
    </Layout>
  )
}
