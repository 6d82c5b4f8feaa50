import { Field } from './field.js'
import { errorOf, type Problem } from './form-problem.js'

interface Props {
  problem: Problem | null
  label?: string
  autofocus?: boolean
}

/** Where somebody types the six digits that their authenticator app shows. */
export function CodeField({ problem, label = 'Code from your authenticator app', autofocus = false }: Props) {
  return (
    <Field
      label={label}
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      // Seven, because apps show a space in the middle, which is copied along.
      maxlength={7}
      required
      narrow
      mono
      autofocus={autofocus}
      error={errorOf(problem, 'code')}
    />
  )
}
