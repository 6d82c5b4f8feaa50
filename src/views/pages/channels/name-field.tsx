import { Field } from '../../components/forms/field.js'
import { errorOf, type Problem } from '../../components/forms/form-problem.js'

/** The field for the name of a channel. */
export function NameField({ name, problem }: { name: string; problem: Problem | null }) {
  return (
    <Field
      label="Name"
      name="channel_name"
      value={name}
      maxlength={100}
      autocomplete="off"
      error={errorOf(problem, 'channel_name')}
      help="Optional. Shown in lists and on checks."
    />
  )
}
