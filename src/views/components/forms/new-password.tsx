import { PASSWORD_MIN_LENGTH } from '../../../core/people/password-rules.js'
import { Field } from './field.js'
import { errorOf, type Problem } from './form-problem.js'

/** The field for a new password. It must be long enough and not a common one. Source: NIST SP 800-63B. */
export function NewPassword({ problem, label = 'Password' }: { problem: Problem | null; label?: string }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autocomplete="new-password"
      required
      help={`At least ${PASSWORD_MIN_LENGTH} characters; several words are fine.`}
      error={errorOf(problem, 'password')}
    />
  )
}
