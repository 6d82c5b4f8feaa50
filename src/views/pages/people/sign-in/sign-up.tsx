import { AccountForm } from '../../../components/forms/account-form.js'
import { AddressField } from '../../../components/forms/address-field.js'
import type { Problem } from '../../../components/forms/form-problem.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  email: string
  problem: Problem | null
  /** Whether a link must confirm the address first. The password is then chosen on the page behind the link. */
  confirms: boolean
}

/** Signing up, if registration is open. */
export function SignUpPage({ page, email, problem, confirms }: Props) {
  return (
    <Layout page={page} title="Sign up" measure="form" scripts={['zone']}>
      <PageHead title="Sign up" lead="You get your own project with a check to try." />
      <AccountForm page={page} action="/accounts/signup/" problem={problem} sendsLink={confirms}>
        <AddressField
          email={email}
          problem={problem}
          autofocus
          help={confirms ? 'A link to continue is sent to this address.' : undefined}
        />
      </AccountForm>
      <p class="muted after-form">
        Have an account? <a href={link(page, '/accounts/login/')}>Sign in</a>
      </p>
    </Layout>
  )
}
