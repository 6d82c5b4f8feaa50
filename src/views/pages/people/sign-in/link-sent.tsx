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
    <Layout page={page} title="Check your e-mail" measure="form">
      <PageHead
        title="Check your e-mail"
        lead={
          purpose === 'sign-in'
            ? `If ${email.trim()} has an account, a sign-in link was sent to it. It works once, within 15 minutes, in this browser. If you receive several, use the newest.`
            : `A link to continue was sent to ${email.trim()}. It works once, within an hour. If you receive several, use the newest.`
        }
      />
      <p>
        <a href={link(page, again)}>Use another address</a>
      </p>
    </Layout>
  )
}
