import { Disclosure } from '../../components/disclosure.js'
import { AskForLink } from '../../components/forms/ask-for-link.js'
import { Button } from '../../components/forms/button.js'
import { CodeField } from '../../components/forms/code-field.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  next: string | null
  /** The proof that the user can give here; `none`: only by signing in again. */
  proof: 'password' | 'code' | 'none'
  sendsLinks: boolean
  problem: Problem | null
}

/** Asks for a proof of identity before a sensitive change. */
export function ConfirmIdentityPage({ page, next, proof, sendsLinks, problem }: Props) {
  return (
    <Layout page={page} title="Confirm that it is you" section="account" parent="account" measure="form">
      <PageHead
        title="Confirm that it is you"
        lead="This change affects the security of your account. You will not be asked again for 30 minutes."
      />
      {proof === 'none' ? (
        <SignInAgain page={page} sendsLinks={sendsLinks} />
      ) : (
        <PostForm page={page} action="/accounts/confirm/" class="form">
          <FormProblem problem={problem} />
          <input type="hidden" name="next" value={next ?? ''} />
          {proof === 'password' ? (
            <Field
              label="Password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              autofocus
              error={errorOf(problem, 'password')}
            />
          ) : (
            <CodeField problem={problem} autofocus />
          )}
          <FormEnd page={page} cancel="/accounts/profile/">
            <Button look="primary">Continue</Button>
          </FormEnd>
        </PostForm>
      )}
      {proof === 'password' ? (
        <div class="after-form">
          <Disclosure summary="Forgot your password?">
            {sendsLinks ? <SendLink page={page} /> : <AskForLink page={page} />}
          </Disclosure>
        </div>
      ) : null}
    </Layout>
  )
}

function SignInAgain({ page, sendsLinks }: { page: PageContext; sendsLinks: boolean }) {
  return sendsLinks ? (
    <>
      <p class="help">Your account has no password. Sign in again with a link.</p>
      <SendLink page={page} />
    </>
  ) : (
    <>
      <PostForm page={page} action="/accounts/logout/">
        <p class="help">Your account has no password. Sign out, and in again.</p>
        <p class="after-table">
          <Button look="primary">Sign out</Button>
        </p>
      </PostForm>
      <div class="after-form">
        <Disclosure summary="No other way to sign in?">
          <AskForLink page={page} />
        </Disclosure>
      </div>
    </>
  )
}

function SendLink({ page }: { page: PageContext }) {
  return (
    <PostForm page={page} action="/accounts/login/link/">
      <input type="hidden" name="email" value={page.user?.email} />
      <p class="after-table">
        <Button look="primary">E-mail me a link</Button>
      </p>
    </PostForm>
  )
}
