import { AccountForm } from '../../../components/forms/account-form.js'
import { AddressField } from '../../../components/forms/address-field.js'
import type { Problem } from '../../../components/forms/form-problem.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import type { PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  /** The path to which the form is sent. */
  action: string
  email: string
  problem: Problem | null
}

/** The first page of a new installation. */
export function FirstAccountPage({ page, action, email, problem }: Props) {
  return (
    <Layout page={page} title="Create the first account" measure="form" scripts={['zone']}>
      <PageHead title="Create the first account" lead="It becomes the owner of the existing projects." />
      <AccountForm page={page} action={action} problem={problem}>
        <AddressField
          email={email}
          problem={problem}
          autofocus
          help="You sign in with this address. No e-mail is sent to it now."
        />
      </AccountForm>
    </Layout>
  )
}
