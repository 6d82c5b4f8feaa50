import { sentence } from '../../../core/text/sentence.js'
import { ButtonLink } from '../../components/forms/button.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

const TITLES: Record<number, string> = {
  400: 'That cannot be done',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  409: 'That cannot be done now',
  410: 'This link does not work any more',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

const SENTENCES: Record<number, string> = {
  404: 'There is nothing at this address, or it is not yours to see.',
  500: 'This is a mistake in the program. It was written to the log; nothing was changed halfway.',
  503: 'The database cannot be reached or is busy. Pings are not lost where the sender repeats them. Try again shortly.',
}

interface Props {
  page: PageContext
  status: number
  /** What was refused, in a sentence; by default the sentence for the status. */
  message?: string | undefined
}

/** The page for an error. */
export function ErrorPage({ page, status, message }: Props) {
  const title = TITLES[status] ?? 'That cannot be done'
  return (
    <Layout page={page} title={title} measure="read">
      <PageHead title={title} lead={sentence(SENTENCES[status] ?? message ?? '')} />
      <p class="muted figure">Status {status}</p>
      <p>
        <ButtonLink href={link(page, '/')}>{page.user ? 'All projects' : 'To the start'}</ButtonLink>
      </p>
    </Layout>
  )
}
