import { sentence } from '../../../core/text/sentence.js'
import { ButtonLink } from '../../components/forms/button.js'
import { PageHead } from '../../components/page-head.js'
import { SearchField } from '../../components/palette/search-field.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { PROJECTS_PAGE } from '../../site-pages.js'

const TITLES: Record<number, string> = {
  400: 'Not possible',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible at the moment',
  410: 'This link no longer works',
  429: 'Please wait',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

const SENTENCES: Record<number, string> = {
  404: 'This page does not exist, or you have no access to it.',
  500: 'This is a bug in Punctual. Details are in the server log; no change was saved in part.',
  503: 'The database is busy or unavailable. Pings are not lost if the sender retries. Try again shortly.',
}

interface Props {
  page: PageContext
  status: number
  /** What was refused, in a sentence; by default the sentence for the status. */
  message?: string | undefined
}

/** The page for an error. */
export function ErrorPage({ page, status, message }: Props) {
  const title = TITLES[status] ?? 'Not possible'
  return (
    <Layout page={page} title={title} measure="read">
      <PageHead title={title} lead={sentence(SENTENCES[status] ?? message ?? '')} />
      <p class="muted figure">Status {status}</p>
      {status === 404 && page.user ? <SearchField page={page} /> : null}
      <p class="spaced">
        <ButtonLink href={link(page, page.user ? PROJECTS_PAGE.path : '/')}>
          {page.user ? 'All projects' : 'Sign in'}
        </ButtonLink>
      </p>
    </Layout>
  )
}
