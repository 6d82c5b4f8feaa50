import { EmailAddress } from '../../components/email-address.js'
import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  current: string
  email: string
  /** Whether a link is sent to the new address first. */
  confirms: boolean
  problem: Problem | null
}

/** The form for changing the address of the account. */
export function EmailPage({ page, current, email, confirms, problem }: Props) {
  return (
    <Layout page={page} title="E-mail address" section="account" parent="account" measure="form">
      <PageHead
        title="Change the e-mail address"
        lead={
          <>
            It is <EmailAddress address={current} /> now. E-mail integrations keep their addresses.
          </>
        }
      />
      <PostForm page={page} action="/accounts/email/" class="form">
        <FormProblem problem={problem} />
        <Field
          label="New address"
          name="email"
          type="email"
          autocomplete="email"
          value={email}
          required
          autofocus
          help={
            confirms
              ? 'A link is sent to it. The address changes when you open the link.'
              : 'It changes immediately, because this installation sends no e-mail.'
          }
          error={errorOf(problem, 'email')}
        />
        <FormEnd page={page} cancel="/accounts/profile/">
          <Button look="primary">{confirms ? 'Send link' : 'Change address'}</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}
