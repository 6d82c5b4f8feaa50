import { AccountForm } from '../../../components/forms/account-form.js'
import { AddressField } from '../../../components/forms/address-field.js'
import { Field } from '../../../components/forms/field.js'
import type { Problem } from '../../../components/forms/form-problem.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import type { PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  /** The path to which the form is sent. */
  action: string
  /** The address of the account; null if it must be entered. */
  email: string | null
  problem: Problem | null
}

/** The second half of signing up: the address is confirmed, and the user chooses a password. */
export function SignUpLinkPage({ page, action, email, problem }: Props) {
  return (
    <Layout page={page} title="Choose a password" measure="form" scripts={['zone']}>
      <PageHead title="Choose a password" />
      <AccountForm page={page} action={action} problem={problem}>
        {email === null ? (
          <AddressField
            email=""
            problem={problem}
            help="The link was requested in another browser: enter the address that it was sent to."
          />
        ) : (
          <Field
            label="E-mail address"
            name="email"
            type="email"
            autocomplete="username"
            value={email}
            disabled
          />
        )}
      </AccountForm>
    </Layout>
  )
}
