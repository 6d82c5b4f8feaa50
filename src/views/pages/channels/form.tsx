import { AlertFor, type AlertForProps } from '../../components/channels/alert-for.js'
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
import { ManagedBy } from '../../components/managed-by.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'
import type { PageLink } from '../../site-pages.js'
import { AnswerOfForm, type FormAnswer } from './form-answer.js'
import { NameField } from './name-field.js'

export interface FieldsProps extends ChannelFieldsProps {
  page: PageContext
  /** The path to which the form is sent, and where cancelling leads. */
  action: string
  back: string
  name: string
  submit: string
  /** Asks for which checks a new channel alerts. */
  alertFor?: AlertForProps
  placeholders?: ShownPlaceholders | undefined
  /** Values that can be filled in, each with a button. */
  presets: readonly { name: string; label: string }[]
  /** Whether the request can be shown, and a test sent, before it is saved. */
  previewable: boolean
  testable: boolean
  /** The answer to one of these buttons. */
  answer: FormAnswer | null
}

interface Props extends FieldsProps {
  title: string
  parent: PageLink
  help: string
  /** The file of configuration that owns the channel. */
  managedBy: string | null
}

/** The page for changing a channel. */
export function ChannelForm({ title, parent, help, managedBy, ...form }: Props) {
  return (
    <Layout page={form.page} title={title} section="integrations" parent={parent} measure="read">
      <PageHead title={title} lead={<InlineCode text={help} />} />
      <ManagedBy file={managedBy} />
      <SettingsForm {...form} />
    </Layout>
  )
}

/** The form of a channel's settings and its name. */
export function SettingsForm({
  page,
  action,
  back,
  name,
  submit,
  alertFor,
  placeholders,
  presets,
  previewable,
  testable,
  answer,
  ...fields
}: FieldsProps) {
  return (
    <PostForm page={page} action={action} class="form sticky-end">
      {/* Enter in a field presses the first button of its form, which must be the one that saves. */}
      <button type="submit" hidden />
      <FormProblem problem={fields.problem} />
      {alertFor ? <AlertFor {...alertFor} /> : null}
      {presets.length > 0 ? <Presets presets={presets} /> : null}
      <ChannelFields {...fields} />
      {placeholders ? <Placeholders {...placeholders} /> : null}
      <NameField name={name} problem={fields.problem} />
      <FoldedFields {...fields} />
      {answer ? <AnswerOfForm answer={answer} /> : null}
      <FormEnd page={page} cancel={back}>
        <Button look="primary">{submit}</Button>
        {testable ? (
          <Button name="test" value="1" title="Sends one alert with these settings. Nothing is saved.">
            Send a test
          </Button>
        ) : null}
        {previewable ? (
          <Button name="preview" value="1">
            Preview the request
          </Button>
        ) : null}
      </FormEnd>
    </PostForm>
  )
}

/** Buttons that fill in the fields for a well-known receiver. */
function Presets({ presets }: Pick<FieldsProps, 'presets'>) {
  return (
    <fieldset class="chips labelled-chips">
      <legend>Fill in for</legend>
      {presets.map(({ name, label }) => (
        <button type="submit" name="preset" value={name} formnovalidate>
          {label}
        </button>
      ))}
    </fieldset>
  )
}
