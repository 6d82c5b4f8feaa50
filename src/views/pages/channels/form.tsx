import {
  ChannelFields,
  type ChannelFieldsProps,
  FoldedFields,
} from '../../components/channels/channel-fields.js'
import { Placeholders, type ShownPlaceholders } from '../../components/channels/placeholders.js'
import { Button } from '../../components/forms/button.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { FormProblem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { InlineCode } from '../../components/inline-code.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'
import { NameField } from './name-field.js'

interface FieldsProps extends ChannelFieldsProps {
  page: PageContext
  /** The path to which the form is sent, and where cancelling leads. */
  action: string
  back: string
  name: string
  submit: string
  placeholders?: ShownPlaceholders | undefined
}

interface Props extends FieldsProps {
  title: string
  help: string
}

/** The page for changing a channel. */
export function ChannelForm({ title, help, ...form }: Props) {
  return (
    <Layout page={form.page} title={title} section="integrations" measure="read">
      <PageHead title={title} lead={<InlineCode text={help} />} />
      <SettingsForm {...form} />
    </Layout>
  )
}

/** The form of a channel's settings and its name. */
export function SettingsForm({ page, action, back, name, submit, placeholders, ...fields }: FieldsProps) {
  return (
    <PostForm page={page} action={action} class="form">
      <FormProblem problem={fields.problem} />
      <ChannelFields {...fields} />
      {placeholders ? <Placeholders {...placeholders} /> : null}
      <NameField name={name} problem={fields.problem} />
      <FoldedFields {...fields} />
      <FormEnd page={page} cancel={back}>
        <Button look="primary">{submit}</Button>
      </FormEnd>
    </PostForm>
  )
}
