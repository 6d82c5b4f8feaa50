import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { FoundOption } from '../../components/palette/found-option.js'
import { SearchField } from '../../components/palette/search-field.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import type { FoundGroup } from '../../search-results.js'

interface Props {
  page: PageContext
  query: string
  /** The check that the search is about; null if none. */
  check: { uuid: string; name: string } | null
  groups: readonly FoundGroup[]
}

/** The search of the whole site without a script. */
export function SearchPage({ page, query, check, groups }: Props) {
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
      {groups.length === 0 && query !== '' ? <p>Nothing found for “{query}”.</p> : null}
      <PostForm page={page} action="/search/" class="search-results">
        {groups.map(({ title, options }) => (
          <section>
            <h2>{title}</h2>
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
    </Layout>
  )
}
