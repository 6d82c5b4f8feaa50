import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  name: string
  problem: Problem | null
}

/** Creates a passkey. It requires a script, because only scripts can ask a browser for one. */
export function AddPasskeyPage({ page, name, problem }: Props) {
  return (
    <Layout
      page={page}
      title="Add a passkey"
      section="account"
      parent="account"
      measure="form"
      scripts={['passkey']}
    >
      <PageHead
        title="Add a passkey"
        lead="A security key, a phone or this device. You use it after your password or sign-in link."
      />
      <PostForm page={page} action="/accounts/passkeys/add/" class="form">
        <FormProblem problem={problem} />
        <Field
          label="Name"
          name="name"
          value={name}
          maxlength={60}
          placeholder="Passkey"
          help="For example “Laptop” or “YubiKey”."
          autofocus
        />
        <div data-passkey="create" data-options={link(page, '/accounts/passkeys/options/')}>
          <input type="hidden" name="answer" />
          <p class="error" data-passkey-error role="alert" />
          <FormEnd page={page} cancel="/accounts/profile/">
            <Button look="primary">Add passkey</Button>
          </FormEnd>
        </div>
        <noscript>
          <p class="help">Passkeys need JavaScript.</p>
        </noscript>
      </PostForm>
    </Layout>
  )
}
