import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  email: string
  purpose: 'sign-in' | 'sign-up'
}

/** The same for every address, so that it does not reveal who has an account. */
export function LinkSentPage({ page, email, purpose }: Props) {
  const again = purpose === 'sign-in' ? '/accounts/login/' : '/accounts/signup/'
  return (
    <Layout page={page} title="Look at your e-mail" measure="form">
      <PageHead
        title="Look at your e-mail"
        lead={
          purpose === 'sign-in'
            ? `If ${email.trim()} has an account, a link to sign in is on its way. It works once, within 15 minutes, in this browser. If you find several, take the newest.`
            : `A link to go on is on its way to ${email.trim()}. It works once, within an hour. If you find several, take the newest.`
        }
      />
      <p>
        <a href={link(page, again)}>Use another address</a>
      </p>
    </Layout>
  )
}
