import { Button, ButtonLink } from '../../components/button.js'
import { ChannelFields, type ChannelFieldsProps } from '../../components/channel-fields.js'
import { Field } from '../../components/field.js'
import { errorOf, FormProblem } from '../../components/form-problem.js'
import { InlineCode } from '../../components/inline-code.js'
import { PageHead } from '../../components/page-head.js'
import { PostForm } from '../../components/post-form.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props extends ChannelFieldsProps {
  page: PageContext
  title: string
  help: string
  /** Where the form goes, and where cancelling leads. */
  action: string
  back: string
  name: string
  submit: string
}

/** The form by which an integration is added or changed. */
export function IntegrationForm({ page, title, help, action, back, name, submit, ...fields }: Props) {
  return (
    <Layout page={page} title={title} section="integrations" measure="read">
      <PageHead title={title} lead={<InlineCode text={help} />} />
      <PostForm page={page} action={action} class="form">
        <FormProblem problem={fields.problem} />
        <ChannelFields {...fields} />
        <Field
          label="Name"
          name="channel_name"
          value={name}
          maxlength={100}
          autocomplete="off"
          error={errorOf(fields.problem, 'channel_name')}
          help="Optional. What it is called in lists and on checks."
        />
        <div class="form-end">
          <Button look="primary">{submit}</Button>
          <ButtonLink look="quiet" href={link(page, back)}>
            Cancel
          </ButtonLink>
        </div>
      </PostForm>
    </Layout>
  )
}
