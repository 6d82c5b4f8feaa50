import { EmailAddress } from '../../components/email-address.js'
import { Button } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  action: string
  email: string
}

/** The page behind the link to a new address. */
export function ConfirmEmailPage({ page, action, email }: Props) {
  return (
    <Layout page={page} title="Confirm the address" section="account" parent="account" measure="form">
      <PageHead
        title="Confirm the address"
        lead={
          <>
            From now on you sign in with <EmailAddress address={email} />.
          </>
        }
      />
      <PostForm page={page} action={action}>
        <Button look="primary">Confirm address</Button>
      </PostForm>
    </Layout>
  )
}
