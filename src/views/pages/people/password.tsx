import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { NewPassword } from '../../components/forms/new-password.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  email: string
  /** Whether the current password must be typed too. */
  asksCurrent: boolean
  problem: Problem | null
}

/** The form for a new password. */
export function PasswordPage({ page, email, asksCurrent, problem }: Props) {
  return (
    <Layout page={page} title="Password" section="account" parent="account" measure="form">
      <PageHead
        title={asksCurrent ? 'Change your password' : 'Choose a password'}
        lead="All your other sessions are signed out."
      />
      <PostForm page={page} action="/accounts/password/" class="form">
        <FormProblem problem={problem} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        {asksCurrent ? (
          <Field
            label="Current password"
            name="current"
            type="password"
            autocomplete="current-password"
            required
            error={errorOf(problem, 'current')}
          />
        ) : null}
        <NewPassword problem={problem} label="New password" />
        <FormEnd page={page} cancel="/accounts/profile/">
          <Button look="primary">Set password</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}
