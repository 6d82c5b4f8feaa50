import { Disclosure } from '../../../components/disclosure.js'
import { Button } from '../../../components/forms/button.js'
import { CodeField } from '../../../components/forms/code-field.js'
import { Field } from '../../../components/forms/field.js'
import { errorOf, FormProblem, type Problem } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  hasApp: boolean
  hasPasskeys: boolean
  hasRecoveryCodes: boolean
  problem: Problem | null
}

/** The second step of signing in: a passkey, or a code of an authenticator app. */
export function SecondStepPage({ page, hasApp, hasPasskeys, hasRecoveryCodes, problem }: Props) {
  const recovering = problem?.field === 'recovery'
  const elsewhere = recovering ? null : problem
  return (
    <Layout page={page} title="Second step" measure="form" scripts={hasPasskeys ? ['passkey'] : []}>
      <PageHead title="Two-step verification" lead="Confirm that it is you." />
      <div class="stack">
        {hasPasskeys ? <PasskeyForm page={page} problem={hasApp ? null : elsewhere} /> : null}
        {hasApp ? (
          <CodeForm page={page} problem={elsewhere} focus={!hasPasskeys} takesRecovery={hasRecoveryCodes} />
        ) : null}
        <Disclosure summary="Lost your device?" open={recovering}>
          {hasRecoveryCodes ? (
            <RecoveryForm page={page} problem={recovering ? problem : null} />
          ) : (
            <p class="muted">
              This account has no recovery codes. Your administrator can remove the second step.
            </p>
          )}
        </Disclosure>
      </div>
      <p class="muted after-form">
        <a href={link(page, '/accounts/login/')}>Sign in with another account</a>
      </p>
    </Layout>
  )
}

function PasskeyForm({ page, problem }: { page: PageContext; problem: Problem | null }) {
  return (
    <PostForm page={page} action="/accounts/login/passkey/" class="form">
      <FormProblem problem={problem} />
      <div data-passkey="get" data-options={link(page, '/accounts/login/passkey/options/')}>
        <input type="hidden" name="answer" />
        <Button look="primary">Use a passkey</Button>
        <p class="error" data-passkey-error role="alert" />
      </div>
      <noscript>
        <p class="help">Passkeys need JavaScript.</p>
      </noscript>
    </PostForm>
  )
}

function RecoveryForm({ page, problem }: { page: PageContext; problem: Problem | null }) {
  return (
    <PostForm page={page} action="/accounts/login/recovery/" class="form">
      <FormProblem problem={problem} />
      <Field
        label="Recovery code"
        name="recovery"
        autocomplete="off"
        maxlength={40}
        required
        mono
        error={errorOf(problem, 'recovery')}
      />
      <div class="form-end">
        <Button>Use recovery code</Button>
      </div>
    </PostForm>
  )
}

interface CodeFormProps {
  page: PageContext
  problem: Problem | null
  focus: boolean
  takesRecovery: boolean
}

function CodeForm({ page, problem, focus, takesRecovery }: CodeFormProps) {
  return (
    <PostForm page={page} action="/accounts/login/second/" class="form">
      <FormProblem problem={problem} />
      <CodeField
        problem={problem}
        autofocus={focus}
        maxlength={40}
        help={takesRecovery ? 'Six digits, or a recovery code.' : 'Six digits.'}
      />
      <div class="form-end">
        <Button look={focus ? 'primary' : 'plain'}>Sign in</Button>
      </div>
    </PostForm>
  )
}
