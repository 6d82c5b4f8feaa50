import { AlertFor, type AlertForProps } from '../../components/channels/alert-for.js'
import { ChannelFields, type DeclaredField } from '../../components/channels/channel-fields.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { NameField } from './name-field.js'
import { newChannelTitle } from './new-channel-title.js'

interface Props {
  page: PageContext
  label: string
  action: string
  back: string
  /** The recipient of a code; null if none was sent. */
  recipient: string | null
  fields: readonly DeclaredField[]
  values: Readonly<Record<string, string>>
  name: string
  alertFor: AlertForProps
  problem: Problem | null
}

/** Asks for the open fields before a channel is created. */
export function FinishChannelPage({ page, label, action, back, recipient, alertFor, ...form }: Props) {
  const title = newChannelTitle(label)
  const { name, problem } = form
  return (
    <Layout page={page} title={title} section="integrations" parent="integrations" measure="read">
      <PageHead
        title={title}
        lead={
          recipient === null
            ? `${label} is connected. Choose where alerts go.`
            : `A code was sent to ${recipient}. Type it here.`
        }
      />
      <PostForm page={page} action={action} class="form">
        <FormProblem problem={problem} />
        {recipient === null ? (
          <>
            <ChannelFields {...form} kept={{}} others={[]} />
            <NameField name={name} problem={problem} />
            <AlertFor {...alertFor} />
          </>
        ) : (
          <Field
            label="Code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength={10}
            required
            narrow
            mono
            error={errorOf(problem, 'code')}
          />
        )}
        <div class="form-end">
          <Button look="primary">Add</Button>
          <ButtonLink look="quiet" href={link(page, back)}>
            Begin again
          </ButtonLink>
        </div>
      </PostForm>
    </Layout>
  )
}
