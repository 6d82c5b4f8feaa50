import { AddressField } from '../../../components/forms/address-field.js'
import { Button } from '../../../components/forms/button.js'
import { FormProblem, type Problem } from '../../../components/forms/form-problem.js'
import { NewPassword } from '../../../components/forms/new-password.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  email: string
  problem: Problem | null
  /** Whether the address is confirmed by a link first; the password is then chosen behind it. */
  confirms: boolean
}

/** Signing up, where anybody may. */
export function SignUpPage({ page, email, problem, confirms }: Props) {
  return (
    <Layout page={page} title="Sign up" measure="form" scripts={['zone']}>
      <PageHead title="Sign up" lead="You get a project of your own with a check to try things with." />
      <PostForm page={page} action="/accounts/signup/" class="form">
        <FormProblem problem={problem} />
        <AddressField
          email={email}
          problem={problem}
          autofocus
          help={confirms ? 'A link to go on is sent to it.' : undefined}
        />
        {confirms ? null : <NewPassword problem={problem} />}
        <input type="hidden" name="timezone" data-zone />
        <div class="form-end">
          <Button look="primary">{confirms ? 'Send the link' : 'Create the account'}</Button>
        </div>
      </PostForm>
      <p class="muted after-form">
        Have an account? <a href={link(page, '/accounts/login/')}>Sign in</a>
      </p>
    </Layout>
  )
}
