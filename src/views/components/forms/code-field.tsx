import { Field } from './field.js'
import { errorOf, type Problem } from './form-problem.js'

interface Props {
  problem: Problem | null
  label?: string
  autofocus?: boolean
  /** Says what is accepted, if that is more than the six digits. */
  help?: string | undefined
  maxlength?: number
}

/** The field for the six digits that an authenticator app shows. */
export function CodeField({
  problem,
  label = 'Code from your authenticator app',
  autofocus = false,
  help,
  // One more than the digits, because apps show a space in the middle, which users copy too.
  maxlength = 7,
}: Props) {
  return (
    <Field
      label={label}
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength={maxlength}
      help={help}
      required
      narrow
      mono
      autofocus={autofocus}
      error={errorOf(problem, 'code')}
    />
  )
}
